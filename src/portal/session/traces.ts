import { z } from 'zod'
import { writeStorage, readStorage } from '#portal/platform/storage.ts'

const uses = z.record(z.string(), z.unknown())

const namesOf = (storage: Storage, ...prefixes: string[]): string[] =>
  Object.keys(storage).filter((name) => prefixes.some((prefix) => `${name}.`.startsWith(`admin-portal.${prefix}.`)))

/** Called at sign-out: removes everything from this browser that shows which people and records were viewed or changed. */
export function forgetTraces(): void {
  try {
    for (const name of namesOf(localStorage, 'recent')) localStorage.removeItem(name)
    for (const name of namesOf(sessionStorage, 'history', 'draft', 'reload', 'places')) sessionStorage.removeItem(name)
    // Commands in use counts are kept; records, whose keys have the noun before a colon, are removed.
    for (const name of namesOf(localStorage, 'uses'))
      writeStorage(name, Object.fromEntries(Object.entries(readStorage(name, uses) ?? {}).filter(([key]) => !key.includes(':'))))
  } catch {
    // A blocked storage contains nothing of ours.
  }
}
