import { atom } from 'jotai/vanilla'
import type { AnyEndpoint, CallHead } from '#contract/define.ts'
import { arrangingParameters } from '#contract/list.ts'
import { config } from '#portal/api/config.ts'
import { http } from '#portal/api/http.ts'
import { store } from '#portal/platform/store.ts'

type Parameter = { name?: string; $ref?: string }
interface OpenApiDocument {
  paths?: Record<string, Record<string, { parameters?: readonly Parameter[] }>>
  components?: { parameters?: Record<string, Parameter> }
}

/**
 * Calls in the API's OpenAPI document, as `GET /employees`, with their parameters and headers. Null if there is no document,
 * undefined until that is known.
 */
const describedAtom = atom<ReadonlyMap<string, readonly string[]> | null | undefined>(undefined)

const nameOf = ({ method, path }: CallHead): string => `${method} ${path}`

/**
 * Whether the API supports a call, and a parameter or header of it, by its OpenAPI document. Without a document it has the
 * specified calls and parameters; until that is known, every parameter counts as supported.
 */
export const capabilitiesAtom = atom((get) => {
  const described = get(describedAtom)
  return (call: CallHead, parameter?: string): boolean => {
    const takes = described ? described.get(nameOf(call)) : call.extension ? undefined : (call.specified ?? [])
    return takes !== undefined && (parameter === undefined || described === undefined || takes.includes(parameter))
  }
})

/** How a query parameter is handled: sent to the API, applied by the client to the answer, dropped, or unsupported. */
type ParameterSupport = 'sent' | 'picked' | 'dropped' | 'missing'

/** How a query parameter of a call is handled for this API. A parameter that filters is never dropped. */
export function meetingOf(endpoint: AnyEndpoint, parameter: string): ParameterSupport {
  if (store.get(capabilitiesAtom)(endpoint, parameter)) return 'sent'
  if (parameter in endpoint.picks) return 'picked'
  return arranging.has(parameter) ? 'dropped' : 'missing'
}

const arranging: ReadonlySet<string> = new Set(arrangingParameters)

/** Whether the API supports a call with exactly these parameters; until that is known, every call. */
export const canAskAtom = atom((get) => {
  const supports = get(capabilitiesAtom)
  const known = get(describedAtom) !== undefined
  return (endpoint: AnyEndpoint, query: Readonly<Record<string, string>> = {}): boolean =>
    supports(endpoint) && (!known || Object.keys(query).every((name) => meetingOf(endpoint, name) !== 'missing'))
})

/** Whether the API has an OpenAPI document; null until that is known. */
export const isDescribedAtom = atom((get) => {
  const described = get(describedAtom)
  return described === undefined ? null : described !== null
})

/**
 * Loads the OpenAPI document next to the base address. Throws without an answer, or if it is incomplete: an API that is mistaken
 * for one without a document would get neither versions nor idempotency keys.
 */
export async function loadCapabilities(): Promise<void> {
  const address = new URL(`${config().api.replace(/\/$/, '')}/openapi.json`, location.origin)
  const response = await http()(address).catch(() => null)
  if (response ? response.status >= 500 || response.status === 429 : !(await isThere(address)))
    throw new Error('The API gave no answer.')
  const document = response?.ok ? await documentIn(response) : null
  store.set(describedAtom, document && callsOf(document))
}

/** Another origin may block reading the answer (CORS); an opaque request still shows whether it responds at all. */
const isThere = (address: URL): Promise<boolean> =>
  address.origin === location.origin
    ? Promise.resolve(false)
    : http()(address, { mode: 'no-cors' }).then(
        () => true,
        () => false,
      )

/** Null for an answer that is not JSON, such as the page of an application; throws for a truncated one. */
async function documentIn(response: Response): Promise<OpenApiDocument | null> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * The text search parameter of a list: `q` if the API supports it, else the specified one, else one that the client applies to a
 * list that is returned in full; null if there is none.
 */
export const searchedBy = (list: CallHead): string | null =>
  ['q', 'query', 'name'].find((name) => store.get(capabilitiesAtom)(list, name)) ??
  ['q'].find((name) => list.picks?.[name]) ??
  null

function callsOf({ paths = {}, components }: OpenApiDocument): ReadonlyMap<string, readonly string[]> {
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
