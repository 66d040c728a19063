import { atom } from 'jotai/vanilla'
import { z } from 'zod'
import { meAtom } from '#portal/api/session.ts'
import { writeStorage, readStorage } from '#portal/platform/storage.ts'
import { store } from '#portal/platform/store.ts'

/** Ids of opened records, newest first: the only part kept in the browser. Their titles are fetched again. */
const OpenedRecord = z.object({ entity: z.string(), id: z.string(), at: z.number() })
type OpenedRecord = z.infer<typeof OpenedRecord>

/** A recently opened record, as returned by the API in this page. */
export interface Recent extends OpenedRecord {
  title: string
  subtitle: string
}

const maxRecent = 50
const nameOf = (person: string): string => `admin-portal.recent.${person}`
const same = (one: Pick<OpenedRecord, 'entity' | 'id'>, other: Pick<OpenedRecord, 'entity' | 'id'>): boolean =>
  one.entity === other.entity && one.id === other.id

/** In the stored order; without a title until the API has returned it. */
type RecentEntry = OpenedRecord & Partial<Recent>
const listAtom = atom<{ person: string; list: readonly RecentEntry[] } | null>(null)

const allAtom = atom<readonly RecentEntry[]>((get) => {
  const person = get(meAtom)?.person.id
  const known = get(listAtom)
  if (!person) return []
  return known?.person === person ? known.list : (readStorage(nameOf(person), z.array(OpenedRecord)) ?? [])
})

/** Records that this user opened last in this browser and may still see, newest first; survives a reload. */
export const recentAtom = atom<readonly Recent[]>((get) =>
  get(allAtom).filter((each): each is Recent => each.title !== undefined),
)

/** The records opened last, whether or not the API returned them in this page. */
export const openedIds = (): readonly OpenedRecord[] => store.get(allAtom)

function put(list: readonly RecentEntry[]): void {
  const person = store.get(meAtom)?.person.id
  if (!person) return
  store.set(listAtom, { person, list })
  writeStorage(
    nameOf(person),
    list.map(({ entity, id, at }) => ({ entity, id, at })),
  )
}

/** Remembers an opened record. */
export function recordOpened(entity: string, id: string, title: string, subtitle: string): void {
  const others = store.get(allAtom).filter((each) => !same(each, { entity, id }))
  put([{ entity, id, title, subtitle, at: Date.now() }, ...others].slice(0, maxRecent))
}

/** Updates recently opened records with the answer of the API; those that it no longer returns are forgotten. */
export function confirmOpened(
  updated: readonly Omit<Recent, 'at'>[],
  gone: readonly Pick<OpenedRecord, 'entity' | 'id'>[],
): void {
  const list = store.get(allAtom).filter((each) => !gone.some((one) => same(one, each)))
  put(list.map((each) => ({ ...each, ...updated.find((one) => same(one, each)) })))
  if (gone.length) store.set(forgottenAtom, (count) => count + gone.length)
}

/** Counts records that the API no longer returns: remounts the palette's list, whose hidden slots may still contain them. */
export const forgottenAtom = atom(0)

/** Drops the titles of recently opened records until the API returns them again. */
export const doubtOpened = (): void =>
  store.set(listAtom, (now) => now && { ...now, list: now.list.map(({ entity, id, at }) => ({ entity, id, at })) })

// After any new sign-in everything is requested again.
store.sub(meAtom, () => {
  if (store.get(meAtom) === null) store.set(listAtom, null)
})
