import { atom } from 'jotai/vanilla'
import { z } from 'zod'
import { meAtom, myId } from '#portal/api/session.ts'
import { readStorage, writeStorage } from '#portal/platform/storage.ts'
import { store } from '#portal/platform/store.ts'
import type { Notice } from '#portal/shell/notices/notice.ts'

/** What a person has read in this browser: events by their keys, decisions by the number of rows that waited then. */
const ReadNotices = z.object({ keys: z.array(z.string()), counts: z.record(z.string(), z.number()) })
type ReadNotices = z.infer<typeof ReadNotices>

/** Maximum number of stored keys: more than there are notices. */
const maxKeys = 300

const nameOf = (person: string): string => `admin-portal.notices.${person}`
const none: ReadNotices = { keys: [], counts: {} }

/** By person; without an entry, what the browser has stored counts. */
const ownAtom = atom<Readonly<Record<string, ReadNotices>>>({})

const readAtom = atom((get): ReadNotices => {
  const person = get(meAtom)?.person.id
  return person ? (get(ownAtom)[person] ?? readStorage(nameOf(person), ReadNotices) ?? none) : none
})

const isReadBy = ({ keys, counts }: ReadNotices, { key, count }: Notice): boolean =>
  count === undefined ? keys.includes(key) : count <= (counts[key] ?? 0)

/** Whether the person has read a notice in this browser. A decision is unread again when more rows wait. */
export const isReadAtom = atom((get) => {
  const read = get(readAtom)
  return (notice: Notice): boolean => isReadBy(read, notice)
})

function save(edit: (read: ReadNotices) => ReadNotices): void {
  const person = myId()
  if (!person) return
  // Another tab may have stored more.
  const now = readStorage(nameOf(person), ReadNotices) ?? store.get(readAtom)
  const next = edit(now)
  store.set(ownAtom, (all) => ({ ...all, [person]: next }))
  writeStorage(nameOf(person), next)
}

/** Marks notices as read, or as unread. */
export function markRead(notices: readonly Notice[], read = true): void {
  const keys = notices.flatMap(({ key, count }) => (count === undefined ? [key] : []))
  const counts = notices.flatMap(({ key, count }) => (count === undefined ? [] : [[key, read ? count : 0] as const]))
  if (notices.length === 0) return
  save((now) => ({
    keys: [...now.keys.filter((key) => !keys.includes(key)), ...(read ? keys : [])].slice(-maxKeys),
    counts: { ...now.counts, ...Object.fromEntries(counts) },
  }))
}

/** If fewer rows wait for a decision than were read, those that come later are unread. */
export function lowerRead(key: string, count: number): void {
  if (count < (store.get(readAtom).counts[key] ?? 0)) save((now) => ({ ...now, counts: { ...now.counts, [key]: count } }))
}

/** Follows what another tab of this person marks. Returns the function that stops it. */
export function followOtherTabs(): () => void {
  const follow = ({ key }: StorageEvent) => {
    const person = myId()
    if (key !== nameOf(person)) return
    const stored = readStorage(nameOf(person), ReadNotices)
    if (stored) store.set(ownAtom, (all) => ({ ...all, [person]: stored }))
  }
  addEventListener('storage', follow)
  return () => removeEventListener('storage', follow)
}
