import { type Atom, atom } from 'jotai/vanilla'
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

/** A side of the work area: the open record with its list, or the record beside it. */
export type Side = 'main' | 'beside'

/** Prefix of the parameters of the record beside the open one, which follow `beside=employee`: `beside-id`, `beside-tab`. */
export const besidePrefix = 'beside-'

const isBesideName = (name: string): boolean => name === 'beside' || name.startsWith(besidePrefix)

/** The record beside the open one, or beside the list; null without one, and while it is the open one itself. */
export const besideAtom = atom<Place | null>((get) => {
  const place = get(placeAtom)
  const search = get(locationAtom).searchParams
  const entity = entities().find(({ name, pane }) => pane && name === search?.get('beside'))
  const id = entity?.ids.read(search?.get(`${besidePrefix}id`) ?? '') ?? null
  return !place || !entity || id === null || (place.entity === entity.name && place.id === id)
    ? null
    : { entity: entity.name, id }
})

/** The place on each side. */
export const placeAtoms: Readonly<Record<Side, Atom<Place | null>>> = { main: placeAtom, beside: besideAtom }

/** The name of the parameter of a record's tab. */
export const tabParameter = (side: Side): string => (side === 'main' ? 'tab' : `${besidePrefix}tab`)

/** The parameters of the record beside the open one. */
export const besideParams = (search = searchParams()): Record<string, string> =>
  Object.fromEntries([...search].filter(([name]) => isBesideName(name)))

/** The address of a record with the record that is beside the open one, so that this stays open; other addresses as they are. */
export function keepingBeside(address: string): string {
  if (!store.get(besideAtom)) return address
  const url = new URL(address, location.origin)
  const isRecord = entities().some(({ pane, path }) => pane && url.pathname.startsWith(`${path}/`))
  if (!isRecord || url.pathname.split('/').length !== 3 || url.searchParams.has('beside')) return address
  for (const [name, value] of Object.entries(besideParams())) url.searchParams.set(name, value)
  return `${url.pathname}${url.search}${url.hash}`
}

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
