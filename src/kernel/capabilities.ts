import type { AnyEndpoint, CallHead } from '#contract/define.ts'
import { arrangingParameters } from '#contract/list.ts'
import type { Problem } from '#contract/problem.ts'
import { noPermission } from '#domain/permissions.ts'
import { Refusal } from '#kernel/api-client.ts'
import { notOfferedProblem } from '#kernel/availability.ts'

type Parameter = { name?: string; $ref?: string }
export interface OpenApiDocument {
  paths?: Record<string, Record<string, { parameters?: readonly Parameter[] }>>
  components?: { parameters?: Record<string, Parameter> }
}

/** Calls in the API's OpenAPI document, as `GET /employees`, with their parameters and headers. */
export type DescribedCalls = ReadonlyMap<string, readonly string[]>

/** The calls of an OpenAPI document. */
export function callsIn({ paths = {}, components }: OpenApiDocument): DescribedCalls {
  const named = ({ name, $ref }: Parameter): string | undefined =>
    name ?? components?.parameters?.[$ref?.split('/').at(-1) ?? '']?.name
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, { parameters = [] }]) =>
          [`${method.toUpperCase()} ${path}`, parameters.flatMap((each) => named(each) ?? [])] as const,
      ),
    ),
  )
}

/** Whether the API supports a call, and a parameter or header of it. */
export type Supports = (call: CallHead, parameter?: string) => boolean

/**
 * What an API supports. Without a document (null) it has the specified calls and parameters; until that is known (undefined),
 * every parameter counts as supported.
 */
export const supportsBy =
  (described: DescribedCalls | null | undefined): Supports =>
  (call, parameter) => {
    const takes = described ? described.get(`${call.method} ${call.path}`) : call.extension ? undefined : (call.specified ?? [])
    return takes !== undefined && (parameter === undefined || described === undefined || takes.includes(parameter))
  }

/** How a query parameter is handled: sent to the API, applied by the client to the answer, dropped, or unsupported. */
type ParameterSupport = 'sent' | 'picked' | 'dropped' | 'missing'

const arranging: ReadonlySet<string> = new Set(arrangingParameters)

/** How a query parameter of a call is handled. A parameter that filters is never dropped. */
export function parameterSupport(supports: Supports, endpoint: AnyEndpoint, parameter: string): ParameterSupport {
  if (supports(endpoint, parameter)) return 'sent'
  if (parameter in endpoint.picks) return 'picked'
  return arranging.has(parameter) ? 'dropped' : 'missing'
}

/**
 * The query to send, and a filter for parameters that the client applies to the answer. Throws a Refusal for an unsupported
 * parameter that filters: without it the answer would have additional rows.
 */
export function supportedQuery(supports: Supports, endpoint: AnyEndpoint, asked: Readonly<Record<string, string>>) {
  const byMeeting = Object.groupBy(Object.entries(asked), ([name]) =>
    // The version of a DELETE is its optimistic lock; an API without versions does not support that.
    name === 'version' && !supports(endpoint, name) ? 'dropped' : parameterSupport(supports, endpoint, name),
  )
  if (byMeeting.missing) throw new Refusal(notOfferedProblem)
  const picked = byMeeting.picked ?? []
  const isAskedFor = (row: unknown) => picked.every(([name, value]) => endpoint.picks[name]?.(row as never, value))
  return {
    query: Object.fromEntries(byMeeting.sent ?? []),
    pick: (body: unknown): unknown => (picked.length === 0 ? body : withRows(body, isAskedFor)),
  }
}

/** An answer with only those of its rows that pass. */
function withRows(body: unknown, passes: (row: unknown) => boolean): unknown {
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value.filter(passes) : value]),
  )
}

/** The optional headers that the API supports: on another origin, CORS only allows a fixed list. */
export const supportedHeaders = (
  supports: Supports,
  endpoint: AnyEndpoint,
  given: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([name]) => name === 'application-key' || endpoint.headers.includes(name) || supports(endpoint, name),
    ),
  )

/** A body without the versions that an API without a document does not know. */
export function withoutVersions(body: Record<string, unknown>): Record<string, unknown> {
  const { version: _, expected: __, ...rest } = body
  return rest
}

/**
 * A refusal in another format than ours (RFC 9457), as far as it can be parsed; `asPerson` if the call was made for a signed-in
 * user.
 */
export function foreignProblem(
  { status, statusText }: Pick<Response, 'status' | 'statusText'>,
  body: unknown,
  asPerson: boolean,
): Problem {
  const { detail, message } = (body ?? {}) as { detail?: unknown; message?: unknown }
  const own = [detail, message].find((text) => typeof text === 'string' && text !== '') as string | undefined
  const code = ({ 403: 'permission-denied', 404: 'not-found' } as const)[status] ?? 'malformed-request'
  const problem = { type: 'about:blank', title: statusText || 'Refused', status }
  if (status === 401 && asPerson) return { ...problem, code: 'session-expired' }
  return { ...problem, code, ...(own ? { detail: own } : status === 403 ? { detail: noPermission } : {}) }
}

/** The name of a downloaded file. */
export const fileNameOf = (response: Pick<Response, 'headers'>): string =>
  /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'download'

/** A text as JSON; undefined for anything else, such as the page of a proxy. */
export const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The text search parameter of a list: `q` if the API supports it, else the specified one, else one that the client applies to a
 * list that is returned in full; null if there is none.
 */
export const searchParameter = (supports: Supports, list: CallHead): string | null =>
  ['q', 'query', 'name'].find((name) => supports(list, name)) ?? ['q'].find((name) => list.picks?.[name]) ?? null
