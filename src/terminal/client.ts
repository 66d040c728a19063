import { join } from 'node:path'
import { z } from 'zod'
import { type AnswerOf, type AnyEndpoint, type At, carried, fill } from '#contract/define.ts'
import type { Problem } from '#contract/problem.ts'
import { getCredentials } from '#contract/session.ts'
import { type ApiClient, asProblem, Refusal, Unanswered, unansweredBy } from '#kernel/api-client.ts'
import { notOfferedProblem } from '#kernel/availability.ts'
import {
  asJson,
  callsIn,
  type DescribedCalls,
  fileNameOf,
  foreignProblem,
  type OpenApiDocument,
  type Supports,
  supportedHeaders,
  supportedQuery,
  supportsBy,
  withoutVersions,
} from '#kernel/capabilities.ts'
import { slugOf, type StoredSession } from '#terminal/session-file.ts'
import { folders, readPrivate, writePrivate } from '#terminal/stored-files.ts'

/** Milliseconds until a call counts as unanswered, and until what an API supports is looked up again. */
const timeout = 20_000
const describedFor = 600_000

const systems: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'Mac OS X', win32: 'Windows' }

/** Names this program in the list of a person's sessions. */
const userAgent = `AdminPortalTerminal/1 (${systems[process.platform] ?? process.platform})`

interface RequestOptions {
  query?: Record<string, string> | undefined
  headers?: Record<string, string>
  json?: unknown
  signal?: AbortSignal | undefined
  /** A successful answer is a file. */
  file?: boolean
}

/** A file as returned by a call. */
export interface Download {
  name: string
  content: Uint8Array
}

export interface TerminalClient extends ApiClient {
  request(endpoint: AnyEndpoint, at: At, options?: RequestOptions): Promise<unknown>
  supports: Supports
  /** False for an API that has only the specified calls, without versions. */
  isDescribed: boolean
}

const Described = z.object({ at: z.number(), calls: z.array(z.tuple([z.string(), z.array(z.string())])).nullable() })

async function fetched(address: string, options: RequestInit): Promise<{ response: Response; body: Buffer }> {
  try {
    const response = await fetch(address, {
      ...options,
      signal: AbortSignal.any([AbortSignal.timeout(timeout), ...(options.signal ? [options.signal] : [])]),
    })
    return { response, body: Buffer.from(await response.arrayBuffer()) }
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new Unanswered()
  }
}

/** What an API supports, by its OpenAPI document; remembered for some minutes. */
async function describedCalls(session: StoredSession): Promise<DescribedCalls | null> {
  const file = join(folders.cache(), `${slugOf(session.address)}.json`)
  const known = Described.safeParse(readPrivate(file, () => {})).data
  if (known && Date.now() - known.at < describedFor) return known.calls && new Map(known.calls)
  const { response, body } = await fetched(`${session.api}/openapi.json`, { headers: { 'user-agent': userAgent } })
  if (response.status >= 500 || response.status === 429) throw new Unanswered()
  const document = response.ok ? (asJson(body.toString()) as OpenApiDocument | undefined) : undefined
  const calls = document ? callsIn(document) : null
  writePrivate(file, { at: Date.now(), calls: calls && [...calls] })
  return calls
}

/** A client of the API of a session; `keep` stores the application key when it is renewed. */
export async function openClient(session: StoredSession, keep: (session: StoredSession) => void): Promise<TerminalClient> {
  const described = await describedCalls(session)
  const supports = supportsBy(described)

  const once = async (
    endpoint: AnyEndpoint,
    at: At,
    { query = {}, headers = {}, json, signal, file }: RequestOptions,
  ): Promise<unknown> => {
    const { query: sent, pick } = supportedQuery(supports, endpoint, query)
    const search = new URLSearchParams(sent).toString()
    const bearer = endpoint.needs.kind === 'public' ? null : session.token
    const { response, body } = await fetched(`${session.api}${fill(endpoint.path, at)}${search ? `?${search}` : ''}`, {
      method: endpoint.method,
      headers: {
        'user-agent': userAgent,
        'application-key': session.application_key,
        'application-name': 'ADMIN_PORTAL',
        ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...supportedHeaders(supports, endpoint, headers),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(signal ? { signal } : {}),
    })
    if (file && response.ok) return { name: fileNameOf(response), content: body } satisfies Download
    const answer = body.length ? asJson(body.toString()) : undefined
    if (response.ok) return pick(answer)
    const problem: Problem | null = asProblem(answer)
    if (response.status >= 500) throw unansweredBy(problem)
    throw new Refusal(problem ?? foreignProblem(response, answer, bearer !== null))
  }

  const renewKey = async (): Promise<void> => {
    const answer = await once(getCredentials, {}, { headers: { 'application-key': session.public_key } })
    session.application_key = getCredentials.answer.parse(answer).application_key
    keep(session)
  }

  const request = async (endpoint: AnyEndpoint, at: At, options: RequestOptions = {}): Promise<unknown> => {
    if (!supports(endpoint)) throw new Refusal(notOfferedProblem)
    if (!session.application_key) await renewKey()
    try {
      return await once(endpoint, at, options)
    } catch (error) {
      if (!(error instanceof Refusal) || error.problem.code !== 'application-key-invalid') throw error
      await renewKey()
      return once(endpoint, at, options)
    }
  }

  return {
    request,
    supports,
    isDescribed: described !== null,
    // Answers are typed by their schema, and not parsed again.
    read: <E extends AnyEndpoint>(endpoint: E, at: At, query?: Record<string, string>, options?: { signal?: AbortSignal }) =>
      request(endpoint, at, { query, signal: options?.signal }) as Promise<AnswerOf<E>>,
    send: (intent, at, given, { key, command, signal }) => {
      const { body, query, headers } = carried(intent.endpoint, described ? given : withoutVersions(given))
      return request(intent.endpoint, at, { json: body, query, headers: { 'idempotency-key': key, command, ...headers }, signal })
    },
    post: (endpoint, at, body, options) =>
      request(endpoint, at, {
        json: body ?? {},
        headers: {
          ...(options?.key ? { 'idempotency-key': options.key } : {}),
          ...(options?.command ? { command: options.command } : {}),
        },
      }),
  }
}
