import { atom, type Getter } from 'jotai/vanilla'
import { z } from 'zod'
import type { OpenPane } from '#kernel/command-context.ts'
import { meAtom } from '#portal/api/session.ts'
import { openPaneAtom } from '#portal/list/lists.ts'
import { decoded, placeAtom } from '#portal/platform/location.ts'
import { commands, registeredAtom } from '#portal/platform/registry.ts'
import { readStorage, writeStorage } from '#portal/platform/storage.ts'
import { store } from '#portal/platform/store.ts'
import { rightsChangesAtom } from '#portal/records/rights-changes.ts'

/** Maximum number of favourites per person. */
export const maxFavourites = 50

const shape = z.array(z.string())
const storageName = 'admin-portal.favourites.'

/** Favourites set since the page was loaded, by person; the browser's storage has the earlier ones. */
const ownAtom = atom<Readonly<Record<string, readonly string[]>>>({})
const none: readonly string[] = []
const stored = atom((get) => {
  const person = get(meAtom)?.person.id
  return person ? (readStorage(storageName + person, shape) ?? none) : none
})

/**
 * The favourites of the person in their order, as ids of commands: a record and a built-in view have one that opens them. No
 * names are stored.
 */
export const favouritesAtom = atom((get): readonly string[] => get(ownAtom)[get(meAtom)?.person.id ?? ''] ?? get(stored))

/** Stores the favourites of the signed-in person in this browser. */
export function setFavourites(ids: readonly string[]): void {
  const person = store.get(meAtom)?.person.id
  if (!person) return
  store.set(ownAtom, (now) => ({ ...now, [person]: ids }))
  writeStorage(storageName + person, ids.length ? ids : null)
}

/** Takes over favourites that were changed in another tab. Returns the function that stops it. */
export function watchStoredFavourites(): () => void {
  const changed = ({ key }: StorageEvent) => {
    const person = key?.startsWith(storageName) ? key.slice(storageName.length) : ''
    if (person) store.set(ownAtom, (now) => ({ ...now, [person]: readStorage(storageName + person, shape) ?? none }))
  }
  addEventListener('storage', changed)
  return () => removeEventListener('storage', changed)
}

const prefix = 'link.favourite.'

/** Id of the command that opens a record which is a favourite. Its uses are removed at sign-out, as those of all records. */
export const favouriteRecord = (entity: string, id: string): string => `${prefix}${entity}:${encodeURIComponent(id)}`
/** Id of the command that shows a built-in view which is a favourite. */
const favouriteView = (entity: string, view: string): string => `${prefix}${entity}.${encodeURIComponent(view)}`

/** The record or built-in view of such an id; null for any other command. */
export function favouriteAt(id: string): { of: 'record' | 'view'; entity: string; id: string } | null {
  const [, entity, mark, part] = /^link\.favourite\.([^.:]+)([.:])(.+)$/.exec(id) ?? []
  const one = decoded(part ?? '')
  return entity && one ? { of: mark === ':' ? 'record' : 'view', entity, id: one } : null
}

/** The command that shows what the list shows: a view, or the list itself. Null if its filters are no view. */
function shownBy({ entity, path, search, named, view, set, narrowed }: OpenPane): string | null {
  const shown = named.find(({ id }) => id === view)
  if (shown?.own) return `filter.saved.${entity}.${encodeURIComponent(shown.title)}`
  if (shown?.shared) return `filter.shared.${entity}.${shown.shared.id}`
  if (shown) return favouriteView(entity, shown.id)
  const address = set.length || narrowed ? `${path}?${search}` : path
  const opens = commands().find((each) => 'place' in each && typeof each.place === 'object' && each.place.address === address)
  return opens?.id ?? null
}

/** A row of the palette that the favourites commands are about, in place of the open record or view. */
export const pointedAtom = atom<string | null>(null)

function idHere(get: Getter): string | null | undefined {
  const pointed = get(pointedAtom)
  if (pointed !== null) return pointed
  const place = get(placeAtom)
  if (place?.id) return favouriteRecord(place.entity, place.id)
  const pane = get(openPaneAtom)
  return pane?.path ? shownBy(pane) : undefined
}

/** What can be a favourite here; undefined where neither a record nor a list is open. */
export const favouriteHereAtom = atom((get) => {
  get(registeredAtom)
  const id = idHere(get)
  const all = get(favouritesAtom)
  return id === undefined ? undefined : { id, is: id !== null && all.includes(id), isFull: all.length >= maxFavourites }
})

/** A record's name and second line, as the API returned it. */
interface Name {
  title: string
  subtitle: string
}
interface Names {
  person: string | undefined
  rights: number
  names: ReadonlyMap<string, Name>
}
const namesRead = atom<Names | null>(null)
const noNames: ReadonlyMap<string, Name> = new Map()

/** Names of favourite records by `employee:104234`: only those that the API returned to this person with their current rights. */
export const favouriteNamesAtom = atom((get) => {
  const read = get(namesRead)
  return read && read.person === get(meAtom)?.person.id && read.rights === get(rightsChangesAtom) ? read.names : noNames
})

/** Remembers names that the API returned, and forgets those of records that it no longer returns. */
export function nameFavourites(found: readonly (Name & { entity: string; id: string })[], gone: readonly string[]): void {
  const before = store.get(favouriteNamesAtom)
  const now = new Map([...before].filter(([key]) => !gone.includes(key)))
  for (const { entity, id, title, subtitle } of found) now.set(`${entity}:${id}`, { title, subtitle })
  const isSame = ([key, { title, subtitle }]: [string, Name]) =>
    before.get(key)?.title === title && before.get(key)?.subtitle === subtitle
  if (now.size === before.size && [...now].every(isSame)) return
  store.set(namesRead, { person: store.get(meAtom)?.person.id, rights: store.get(rightsChangesAtom), names: now })
}
