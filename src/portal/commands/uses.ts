import { atom } from 'jotai/vanilla'
import { z } from 'zod'
import { type Uses, used } from '#kernel/frecency.ts'
import { meAtom } from '#portal/api/session.ts'
import { writeStorage, readStorage } from '#portal/platform/storage.ts'
import { store } from '#portal/platform/store.ts'

const shape = z.record(z.string(), z.array(z.number()))
const nameOf = (person: string) => `admin-portal.uses.${person}`

/** Uses counted since the page was loaded, by person; the browser's storage has the earlier ones. */
const ownAtom = atom<Readonly<Record<string, Uses>>>({})

/** How often and how recently the user ran each command. */
export const usesAtom = atom<Uses>((get) => {
  const person = get(meAtom)?.person.id
  return person ? (get(ownAtom)[person] ?? readStorage(nameOf(person), shape) ?? {}) : {}
})

/** Counts one use of a command, stored in this browser by person. */
export function recordUse(commandId: string): void {
  const person = store.get(meAtom)?.person.id
  if (!person) return
  const next = used(readStorage(nameOf(person), shape) ?? store.get(usesAtom), commandId, Date.now())
  store.set(ownAtom, (now) => ({ ...now, [person]: next }))
  writeStorage(nameOf(person), next)
}
