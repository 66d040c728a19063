import type { z } from 'zod'

/** Where something is kept: in this browser, or for as long as this tab lives. */
type Where = 'localStorage' | 'sessionStorage'

/** Reads something that was kept; anything unreadable or of an old shape counts as absent. */
export function readStorage<T>(name: string, schema: z.ZodType<T>, where: Where = 'localStorage'): T | null {
  try {
    const text = globalThis[where].getItem(name)
    return text === null ? null : (schema.safeParse(JSON.parse(text)).data ?? null)
  } catch {
    return null
  }
}

/** Keeps something; false where a full or forbidden storage refuses: it then lives as long as the page. */
export function writeStorage(name: string, value: unknown, where: Where = 'localStorage'): boolean {
  try {
    if (value === null || value === undefined) globalThis[where].removeItem(name)
    else globalThis[where].setItem(name, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

/** The names of what is kept; none where the storage is forbidden. */
export function storedNames(where: Where): string[] {
  try {
    return Object.keys(globalThis[where])
  } catch {
    return []
  }
}
