import { z } from 'zod'
import { capitalize } from '#domain/text.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { meAtom } from '#portal/api/session.ts'
import { entryAt } from '#portal/platform/entries.ts'
import { locationAtom } from '#portal/platform/location.ts'
import { entities } from '#portal/platform/registry.ts'
import { readStorage, writeStorage } from '#portal/platform/storage.ts'
import { store } from '#portal/platform/store.ts'
import { record } from '#portal/records/entity-store.ts'

/**
 * A screen of this tab that was left: its address with filter and tab, and its title. That of a record is not stored: its name is
 * shown only while the person may read it.
 */
const Place = z.object({ address: z.string(), title: z.string().nullable() })
type Place = z.infer<typeof Place>

/** A place with the title that it has now. */
export interface RecentPlace {
  address: string
  title: string
}

const maxPlaces = 20
const storageName = 'admin-portal.places'
const Stored = z.object({ person: z.string(), places: z.array(Place) })

const personNow = (): string => store.get(meAtom)?.person.id ?? ''
const read = (): readonly Place[] => {
  const stored = readStorage(storageName, Stored, 'sessionStorage')
  return stored && stored.person === personNow() ? stored.places : []
}

const pathOf = (address: string): string => address.split('?')[0] ?? ''
const titleNow = (): string => document.title.replace(/ - Admin Portal$/, '')

/** The noun and id in the address of a record. */
function recordAt(address: string): { entity: AnyEntity; id: string } | null {
  const [, list, id, ...more] = pathOf(address).split('/')
  const entity = entities().find((each) => each.path === `/${list}`)
  return entity && id && more.length === 0 ? { entity, id: decodeURIComponent(id) } : null
}

/** The name of the record if it is known and so may be read, else its noun and id. */
function titleOf({ address, title }: Place): string {
  const at = recordAt(address)
  if (!at) return title ?? pathOf(address)
  const row = record(at.entity.name, at.id)
  return row === undefined ? `${capitalize(at.entity.one)} ${at.id}` : at.entity.title(row)
}

/** Remembers a place under its path, so that other filters of the same list replace it; kept over a reload, until sign-out. */
function remember(place: Place): void {
  const others = read().filter(({ address }) => pathOf(address) !== pathOf(place.address))
  const places = [place, ...others].slice(0, maxPlaces)
  writeStorage(storageName, { person: personNow(), places }, 'sessionStorage')
}

/** The places to go back to: without the current one. */
export const otherPlaces = (): readonly RecentPlace[] =>
  read()
    .filter(({ address }) => pathOf(address) !== location.pathname)
    .map((place) => ({ address: place.address, title: titleOf(place) }))

/** Remembers every place that is left, except those that the next record replaced. Returns the function that stops it. */
export function watchPlaces(): () => void {
  let here = { address: location.pathname + location.search, entry: entryAt(0)?.key }
  const moved = () => {
    const title = titleNow()
    const left = here
    queueMicrotask(() => {
      here = { address: location.pathname + location.search, entry: entryAt(0)?.key }
      const replaced = left.entry !== undefined && left.entry === here.entry
      if (replaced || pathOf(left.address) === pathOf(here.address) || /^\/(welcome)?(\?|$)/.test(left.address)) return
      if (personNow()) remember({ address: left.address, title: recordAt(left.address) ? null : title })
    })
  }
  return store.sub(locationAtom, moved)
}
