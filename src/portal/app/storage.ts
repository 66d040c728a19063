import type { z } from 'zod'

/** Reads something kept in this browser; anything unreadable or of an old shape counts as absent. */
export function kept<T>(name: string, schema: z.ZodType<T>): T | null {
  try {
    const text = localStorage.getItem(name)
    return text === null ? null : (schema.safeParse(JSON.parse(text)).data ?? null)
  } catch {
    return null
  }
}

/** Keeps something in this browser. A full or forbidden storage is no reason to stop. */
export function keep(name: string, value: unknown): void {
  try {
    if (value === null || value === undefined) localStorage.removeItem(name)
    else localStorage.setItem(name, JSON.stringify(value))
  } catch {
    // Private windows may refuse; the choice then lives as long as the page.
  }
}
