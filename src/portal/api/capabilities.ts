import { atom } from 'jotai/vanilla'
import type { AnyEndpoint, CallHead } from '#contract/define.ts'
import {
  asJson,
  callsIn,
  type DescribedCalls,
  type OpenApiDocument,
  parameterSupport,
  searchParameter,
  supportsBy,
} from '#kernel/capabilities.ts'
import { config } from '#portal/api/config.ts'
import { http } from '#portal/api/http.ts'
import { store } from '#portal/platform/store.ts'

/** Null if there is no document, undefined until that is known. */
const describedAtom = atom<DescribedCalls | null | undefined>(undefined)

/**
 * Whether the API supports a call, and a parameter or header of it, by its OpenAPI document. Without a document it has the
 * specified calls and parameters; until that is known, every parameter counts as supported.
 */
export const capabilitiesAtom = atom((get) => supportsBy(get(describedAtom)))

/** Whether the API supports a call with exactly these parameters; until that is known, every call. */
export const canAskAtom = atom((get) => {
  const supports = get(capabilitiesAtom)
  const known = get(describedAtom) !== undefined
  return (endpoint: AnyEndpoint, query: Readonly<Record<string, string>> = {}): boolean =>
    supports(endpoint) && (!known || Object.keys(query).every((name) => parameterSupport(supports, endpoint, name) !== 'missing'))
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
  store.set(describedAtom, document && callsIn(document))
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
const documentIn = async (response: Response): Promise<OpenApiDocument | null> =>
  (asJson(await response.text()) as OpenApiDocument | undefined) ?? null

/** The text search parameter of a list; null if there is none. */
export const searchedBy = (list: CallHead): string | null => searchParameter(store.get(capabilitiesAtom), list)
