import type { z } from 'zod'

/** The kind of storage: per browser, or per tab. */
type StorageKind = 'localStorage' | 'sessionStorage'

/** Reads a stored value; an unreadable or outdated one counts as missing. */
export function readStorage<T>(name: string, schema: z.ZodType<T>, where: StorageKind = 'localStorage'): T | null {
  try {
    const text = globalThis[where].getItem(name)
    return text === null ? null : (schema.safeParse(JSON.parse(text)).data ?? null)
  } catch {
    return null
  }
}

/** Stores a value; false if the storage is full or blocked: it then lives as long as the page. */
export function writeStorage(name: string, value: unknown, where: StorageKind = 'localStorage'): boolean {
  try {
    if (value === null || value === undefined) globalThis[where].removeItem(name)
    else globalThis[where].setItem(name, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

/** The stored names; none if the storage is blocked. */
export function storedNames(where: StorageKind): string[] {
  try {
    return Object.keys(globalThis[where])
  } catch {
    return []
  }
}
