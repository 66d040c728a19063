import type { Options } from 'ky'
import { getCredentials } from '#contract/session.ts'
import { type AnswerOf, type AnyEndpoint, type At, carried, fill } from '#contract/define.ts'
import { notOfferedProblem } from '#kernel/availability.ts'
import { asProblem, Refusal, Unanswered, unansweredBy, type ApiClient } from '#kernel/api-client.ts'
import { asJson, fileNameOf, foreignProblem, supportedHeaders, supportedQuery, withoutVersions } from '#kernel/capabilities.ts'
import { config } from '#portal/api/config.ts'
import { isDescribedAtom, capabilitiesAtom } from '#portal/api/capabilities.ts'
import { http } from '#portal/api/http.ts'
import { setOffline, setOnline } from '#portal/api/online.ts'
import {
  activeAtAtom,
  applicationKey,
  deniedAtom,
  notSignedIn,
  sessionEnded,
  setApplicationKey,
  token,
} from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'

/** The URL of a call. */
function addressOf(endpoint: AnyEndpoint, at: At, query: Record<string, string> = {}): string {
  const search = new URLSearchParams(query).toString()
  return new URL(`${config().api.replace(/\/$/, '')}${fill(endpoint.path, at)}${search ? `?${search}` : ''}`, location.origin)
    .href
}

/** A file as returned by a call. */
export interface Download {
  name: string
  content: Blob
}

/** With `file` a successful answer is a `Download`. */
type RequestOptions = Omit<Options, 'headers'> & {
  query?: Record<string, string>
  headers?: Record<string, string>
  file?: boolean
}

/**
 * Sends one request with the headers of every call (API-002 to API-004) and returns its body, or throws Refusal or Unanswered. A
 * missing or expired application key is fetched again once.
 */
export async function request(endpoint: AnyEndpoint, at: At, options: RequestOptions = {}): Promise<unknown> {
  if (endpoint === getCredentials) return requestOnce(endpoint, at, options)
  if (store.get(isDescribedAtom) !== null && !store.get(capabilitiesAtom)(endpoint)) throw new Refusal(notOfferedProblem)
  if (!applicationKey()) await renewApplicationKey()
  try {
    return await requestOnce(endpoint, at, options)
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.code !== 'application-key-invalid') throw error
    await renewApplicationKey()
    return requestOnce(endpoint, at, options)
  }
}

let renewing: Promise<void> | null = null

/** GET credentials with the public key returns the application key for all later calls (API-005). */
function renewApplicationKey(): Promise<void> {
  renewing ??= requestOnce(getCredentials, {}, { headers: { 'application-key': config().application_key } })
    .then((answer) => setApplicationKey(getCredentials.answer.parse(answer).application_key))
    .finally(() => {
      renewing = null
    })
  return renewing
}

async function requestOnce(endpoint: AnyEndpoint, at: At, options: RequestOptions): Promise<unknown> {
  const { query: asked, headers, file, ...rest } = options
  const { query, pick } = asAnswered(endpoint, asked)
  const asPerson = endpoint.needs.kind !== 'public'
  const bearer = asPerson ? token() : null
  if (asPerson && bearer === null) {
    sessionEnded(notSignedIn, bearer)
    throw new Refusal(notSignedIn)
  }
  const sentAt = performance.now()
  let response: Response
  let body: unknown
  try {
    response = await http()(addressOf(endpoint, at, query), {
      ...rest,
      method: endpoint.method,
      headers: {
        'application-key': applicationKey(),
        'application-name': 'ADMIN_PORTAL',
        ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
        ...headersTaken(endpoint, headers),
      },
    })
    if (file && response.ok) body = { name: fileNameOf(response), content: await response.blob() } satisfies Download
    else {
      const text = await response.text()
      body = text === '' ? undefined : asJson(text)
    }
  } catch (error) {
    if (rest.signal?.aborted) throw error
    setOffline()
    throw new Unanswered()
  }
  setOnline(sentAt)
  if (bearer && response.status !== 401 && endpoint.activity && headers?.['x-background'] === undefined)
    store.set(activeAtAtom, Date.now())
  if (response.ok) return pick(body)
  const problem = asProblem(body)
  if (response.status >= 500) throw unansweredBy(problem)
  const refused = problem ?? foreignProblem(response, body, bearer !== null)
  // Another API may not say whether the token or the application key has expired: the next sign-in fetches both.
  if (!problem && response.status === 401) setApplicationKey('')
  if (refused.status === 401) sessionEnded(refused, bearer)
  // The API answers not-found for records out of reach, so that code, too, may mean changed rights.
  if (refused.code === 'permission-denied' || refused.code === 'not-found') store.set(deniedAtom, (count) => count + 1)
  throw new Refusal(refused)
}

/** The query to send, and a filter for the answer. */
function asAnswered(endpoint: AnyEndpoint, asked: Record<string, string> = {}) {
  if (store.get(isDescribedAtom) === null) return { query: asked, pick: (body: unknown): unknown => body }
  return supportedQuery(store.get(capabilitiesAtom), endpoint, asked)
}

/** The optional headers that the API supports. */
const headersTaken = (endpoint: AnyEndpoint, given: Record<string, string> = {}): Record<string, string> =>
  store.get(isDescribedAtom) === null ? given : supportedHeaders(store.get(capabilitiesAtom), endpoint, given)

/** The portal's client of the API. */
export const apiClient: ApiClient = {
  // Answers are typed by their schema, and not parsed again.
  read: <E extends AnyEndpoint>(
    endpoint: E,
    at: At,
    query?: Record<string, string>,
    options?: Parameters<ApiClient['read']>[3],
  ) =>
    request(endpoint, at, {
      ...(query ? { query } : {}),
      ...(options?.signal ? { signal: options.signal } : {}),
      ...(options?.background ? { headers: { 'x-background': '1' } } : {}),
    }) as Promise<AnswerOf<E>>,
  send: (intent, at, given, { key, command, signal }) => {
    const { body, query, headers } = carried(
      intent.endpoint,
      store.get(isDescribedAtom) === false ? withoutVersions(given) : given,
    )
    return request(intent.endpoint, at, {
      json: body,
      query,
      headers: { 'idempotency-key': key, command, ...headers },
      ...(signal ? { signal } : {}),
    })
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
