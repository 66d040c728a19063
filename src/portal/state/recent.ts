import { atom } from 'jotai/vanilla'
import { z } from 'zod'
import { meAtom } from '#portal/state/session.ts'
import { keep, kept } from '#portal/state/storage.ts'
import { store } from '#portal/state/store.ts'

const Recent = z.object({ entity: z.string(), id: z.string(), title: z.string(), subtitle: z.string(), at: z.number() })
export type Recent = z.infer<typeof Recent>

const most = 50
const nameOf = (person: string): string => `admin-portal.recent.${person}`
const openedAtom = atom<{ person: string; list: readonly Recent[] } | null>(null)

/** What this person opened last in this browser, newest first; it survives a reload. */
export const recentAtom = atom<readonly Recent[]>((get) => {
  const person = get(meAtom)?.person.id
  if (!person) return []
  const opened = get(openedAtom)
  return opened !== null && opened.person === person ? opened.list : (kept(nameOf(person), z.array(Recent)) ?? [])
})

/** Remembers that a thing was opened. */
export function recordOpened(entity: string, id: string, title: string, subtitle: string): void {
  const person = store.get(meAtom)?.person.id
  if (!person) return
  const others = store.get(recentAtom).filter((each) => each.entity !== entity || each.id !== id)
  const list = [{ entity, id, title, subtitle, at: Date.now() }, ...others].slice(0, most)
  store.set(openedAtom, { person, list })
  keep(nameOf(person), list)
}
