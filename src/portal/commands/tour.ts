import { atom } from 'jotai/vanilla'
import { z } from 'zod'
import { meAtom } from '#portal/api/session.ts'
import { readStorage, writeStorage } from '#portal/platform/storage.ts'
import { store } from '#portal/platform/store.ts'

/** Number of steps of the tour that are done; null while nobody takes it. */
export const tourAtom = atom<number | null>(null)

const shape = z.object({ person: z.string(), step: z.int() })
const storageName = 'admin-portal.tour'

/** Goes to a step of the tour, which survives a reload of this tab; null ends it. */
export function goToStep(step: number | null): void {
  store.set(tourAtom, step)
  const person = store.get(meAtom)?.person.id
  writeStorage(storageName, step === null ? null : { person, step }, 'sessionStorage')
}

/** Continues the tour that this person took before the page was reloaded. Returns the function that ends it with the session. */
export function watchTour(): () => void {
  const kept = readStorage(storageName, shape, 'sessionStorage')
  if (kept && kept.person === store.get(meAtom)?.person.id) store.set(tourAtom, kept.step)
  return () => store.set(tourAtom, null)
}
