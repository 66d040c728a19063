import { atom } from 'jotai/vanilla'
import { atomWithLocation } from 'jotai-location'
import { entities, registeredAtom } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'

/** The address of the page as an atom; follows back and forward. */
export const locationAtom = atomWithLocation()

/** The list and record in the address; null for an address with neither. */
export interface Place {
  entity: string
  /** The id of the open record. */
  id: string | null
}

/** A decoded part of an address; null where its encoding is malformed. */
export const decoded = (part: string): string | null => {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

export const placeAtom = atom<Place | null>((get) => {
  get(registeredAtom)
  const path = get(locationAtom).pathname ?? '/'
  for (const entity of entities()) {
    if (!entity.pane) continue
    if (path === entity.path) return { entity: entity.name, id: null }
    if (path.startsWith(`${entity.path}/`)) {
      const id = decoded(path.slice(entity.path.length + 1))
      if (id && !id.includes('/')) return { entity: entity.name, id: entity.ids.read(id) ?? id }
    }
  }
  return null
})

/** Navigates within the portal, `/employees/104234?tab=history`. */
export function navigate(address: string, how: { replace?: boolean } = {}): void {
  const url = new URL(address, location.origin)
  store.set(
    locationAtom,
    { pathname: url.pathname, searchParams: url.searchParams, hash: url.hash },
    { replace: how.replace ?? false },
  )
}

/** The current search parameters of the address. */
export const searchParams = (): URLSearchParams => new URLSearchParams(store.get(locationAtom).searchParams)

/** Changes search parameters and keeps the rest of the address; null removes one. */
export function setSearch(changes: Record<string, string | null>, how: { replace?: boolean } = {}): void {
  const search = searchParams()
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) search.delete(name)
    else search.set(name, value)
  }
  const { pathname = '/', hash = '' } = store.get(locationAtom)
  store.set(locationAtom, { pathname, searchParams: search, hash }, { replace: how.replace ?? false })
}
