import ky, { type KyInstance, type Options } from 'ky'
import { getCredentials } from '#contract/session.ts'
import { type AnyEndpoint, type At, fill } from '#contract/define.ts'
import { asProblem, Refusal, Unanswered, type Wire } from '#kernel/wire.ts'
import { config } from '#portal/api/config.ts'
import { setOffline, setOnline } from '#portal/api/online.ts'
import { activeAtAtom, applicationKey, deniedAtom, sessionEnded, setApplicationKey, token } from '#portal/session/session.ts'
import { store } from '#portal/app/store.ts'

let client: KyInstance | null = null

/** One ky client for the base address; retries are the kernel's, which knows what may be sent twice. */
const http = (): KyInstance => {
  client ??= ky.create({ retry: 0, timeout: 20_000, throwHttpErrors: false, credentials: 'omit' })
  return client
}

/** The address of a call. */
function addressOf(endpoint: AnyEndpoint, at: At, query: Record<string, string> = {}): string {
  const search = new URLSearchParams(query).toString()
  return new URL(`${config().api.replace(/\/$/, '')}${fill(endpoint.path, at)}${search ? `?${search}` : ''}`, location.origin)
    .href
}

/** A file as a call answers it. */
export interface Download {
  name: string
  content: Blob
}

/** With `file` a good answer is a `Download`. */
type RequestOptions = Options & { query?: Record<string, string>; file?: boolean }

/**
 * Sends one request with the headers every call carries (API-002 to API-004) and sorts its answer: body, Refusal or
 * Unanswered. An application key that is missing or no longer good is fetched again once.
 */
export async function request(endpoint: AnyEndpoint, at: At, options: RequestOptions = {}): Promise<unknown> {
  if (endpoint === getCredentials) return requestOnce(endpoint, at, options)
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

/** GET credentials with the public key answers the application key of all later calls (API-005). */
function renewApplicationKey(): Promise<void> {
  renewing ??= requestOnce(getCredentials, {}, { headers: { 'application-key': config().application_key } })
    .then((answer) => setApplicationKey(getCredentials.answer.parse(answer).application_key))
    .finally(() => {
      renewing = null
    })
  return renewing
}

async function requestOnce(endpoint: AnyEndpoint, at: At, options: RequestOptions): Promise<unknown> {
  const { query, file, ...rest } = options
  const bearer = endpoint.needs.kind === 'public' ? null : token()
  const own = rest.headers as Record<string, string> | undefined
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
        ...own,
      },
    })
    if (file && response.ok) body = { name: nameOf(response), content: await response.blob() } satisfies Download
    else {
      const text = await response.text()
      body = text === '' ? undefined : parsed(text)
    }
  } catch (error) {
    if (rest.signal?.aborted) throw error
    setOffline()
    throw new Unanswered()
  }
  setOnline(sentAt)
  if (bearer && response.status !== 401 && endpoint.activity && own?.['x-background'] === undefined)
    store.set(activeAtAtom, Date.now())
  if (response.ok) return body
  const problem = asProblem(body)
  if (response.status >= 500) throw new Unanswered(problem?.detail ?? null, true)
  const refused = problem ?? {
    type: 'about:blank',
    title: response.statusText || 'Refused',
    status: response.status,
    code: response.status === 404 ? ('not-found' as const) : ('malformed-request' as const),
  }
  if (refused.status === 401) sessionEnded(refused, bearer)
  if (refused.code === 'permission-denied') store.set(deniedAtom, (count) => count + 1)
  throw new Refusal(refused)
}

const nameOf = (response: Response): string =>
  /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'download'

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The portal's way to the API. */
export const wire: Wire = {
  read: (endpoint, at, query, options) =>
    request(endpoint, at, {
      ...(query ? { query } : {}),
      ...(options?.signal ? { signal: options.signal } : {}),
      ...(options?.background ? { headers: { 'x-background': '1' } } : {}),
    }),
  send: (intent, at, body, { key, command, signal }) =>
    request(intent.endpoint, at, { json: body, headers: { 'idempotency-key': key, command }, ...(signal ? { signal } : {}) }),
  post: (endpoint, at, body, options) =>
    request(endpoint, at, {
      json: body ?? {},
      headers: {
        ...(options?.key ? { 'idempotency-key': options.key } : {}),
        ...(options?.command ? { command: options.command } : {}),
      },
    }),
}
