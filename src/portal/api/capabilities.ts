import { atom } from 'jotai/vanilla'
import type { AnyEndpoint, CallHead } from '#contract/define.ts'
import { arrangingParameters } from '#contract/list.ts'
import { config } from '#portal/api/config.ts'
import { http } from '#portal/api/http.ts'
import { store } from '#portal/platform/store.ts'

type Parameter = { name?: string; $ref?: string }
interface Described {
  paths?: Record<string, Record<string, { parameters?: readonly Parameter[] }>>
  components?: { parameters?: Record<string, Parameter> }
}

/**
 * Calls that the API behind the portal describes, as `GET /employees`, with the parameters and headers that each takes.
 * Null when it has no OpenAPI document, undefined until that is known.
 */
const describedAtom = atom<ReadonlyMap<string, readonly string[]> | null | undefined>(undefined)

const nameOf = ({ method, path }: CallHead): string => `${method} ${path}`

/**
 * Whether the API offers a call, and takes a parameter or a header of it: its document says so. Without a document it has
 * the calls and parameters that the specification names; until that is known, every parameter.
 */
export const capabilitiesAtom = atom((get) => {
  const described = get(describedAtom)
  return (call: CallHead, parameter?: string): boolean => {
    const takes = described ? described.get(nameOf(call)) : call.extension ? undefined : (call.specified ?? [])
    return takes !== undefined && (parameter === undefined || described === undefined || takes.includes(parameter))
  }
})

/** How a query parameter is met: by the API, by the client in the answer, by being left out, or not at all. */
type Meeting = 'sent' | 'picked' | 'dropped' | 'missing'

/** How the API behind the portal meets a query parameter of a call. A parameter that narrows is never left out. */
export function meetingOf(endpoint: AnyEndpoint, parameter: string): Meeting {
  if (store.get(capabilitiesAtom)(endpoint, parameter)) return 'sent'
  if (parameter in endpoint.picks) return 'picked'
  return arranging.has(parameter) ? 'dropped' : 'missing'
}

const arranging: ReadonlySet<string> = new Set(arrangingParameters)

/** Whether the API answers a call for exactly these parameters; until it is known, every call. */
export const canAskAtom = atom((get) => {
  const supports = get(capabilitiesAtom)
  const known = get(describedAtom) !== undefined
  return (endpoint: AnyEndpoint, query: Readonly<Record<string, string>> = {}): boolean =>
    supports(endpoint) && (!known || Object.keys(query).every((name) => meetingOf(endpoint, name) !== 'missing'))
})

/** Whether the API behind the portal has an OpenAPI document; null until that is known. */
export const isDescribedAtom = atom((get) => {
  const described = get(describedAtom)
  return described === undefined ? null : described !== null
})

/**
 * Reads the OpenAPI document beside the base address. Throws where there was no answer, or half of one: what is taken for an
 * API without a document is sent neither versions nor keys.
 */
export async function loadCapabilities(): Promise<void> {
  const address = new URL(`${config().api.replace(/\/$/, '')}/openapi.json`, location.origin)
  const response = await http()(address).catch(() => null)
  if (response ? response.status >= 500 || response.status === 429 : !(await isThere(address)))
    throw new Error('The API gave no answer.')
  const document = response?.ok ? await documentIn(response) : null
  store.set(describedAtom, document && callsOf(document))
}

/** Another origin may keep the browser from seeing that it has no document; whether it answers at all can be seen. */
const isThere = (address: URL): Promise<boolean> =>
  address.origin === location.origin
    ? Promise.resolve(false)
    : http()(address, { mode: 'no-cors' }).then(
        () => true,
        () => false,
      )

/** Null for an answer that is no JSON, such as the page of an application; one that was cut off is thrown. */
async function documentIn(response: Response): Promise<Described | null> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * The parameter by which a list is searched for a text: `q` where the API takes that, else the specification's own, else one by which the
 * portal picks rows out of a list that is answered whole; null for none.
 */
export const searchedBy = (list: CallHead): string | null =>
  ['q', 'query', 'name'].find((name) => store.get(capabilitiesAtom)(list, name)) ??
  ['q'].find((name) => list.picks?.[name]) ??
  null

function callsOf({ paths = {}, components }: Described): ReadonlyMap<string, readonly string[]> {
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
