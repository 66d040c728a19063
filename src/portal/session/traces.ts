import { z } from 'zod'
import { writeStorage, readStorage } from '#portal/platform/storage.ts'

const uses = z.record(z.string(), z.unknown())

const namesOf = (storage: Storage, ...prefixes: string[]): string[] =>
  Object.keys(storage).filter((name) => prefixes.some((prefix) => `${name}.`.startsWith(`admin-portal.${prefix}.`)))

/** At sign-out nothing stays in this browser that tells which people and records were looked at or changed. */
export function forgetTraces(): void {
  try {
    for (const name of namesOf(localStorage, 'recent')) localStorage.removeItem(name)
    for (const name of namesOf(sessionStorage, 'history', 'draft', 'reload')) sessionStorage.removeItem(name)
    // Of what was used, the commands stay; things have the noun before a colon.
    for (const name of namesOf(localStorage, 'uses'))
      writeStorage(name, Object.fromEntries(Object.entries(readStorage(name, uses) ?? {}).filter(([key]) => !key.includes(':'))))
  } catch {
    // A storage that may not be read has nothing of ours.
  }
}
