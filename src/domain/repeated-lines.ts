import type { MappedRow } from '#domain/mapping-reading.ts'

/** The lines before one that are about the same person: the first of them, and the one with the same values. Null where there is none. */
interface Repeated {
  first: number | null
  same: number | null
}

/**
 * Remembers the lines of a file, so that it can tell which say the same. Values are written as text only for people with several
 * lines, since most have one.
 */
export function repeatedLines() {
  const known = new Map<string, { first: MappedRow; lineOf: Map<string, number> | null }>()

  /** Takes the next line; lines can be the same only where they have the same person and `group`. */
  const see = (row: MappedRow, group: string): Repeated => {
    const key = `${row.by} ${row.identifier} ${group}`
    const before = known.get(key)
    if (!before) {
      known.set(key, { first: row, lineOf: null })
      return { first: null, same: null }
    }
    before.lineOf ??= new Map([[JSON.stringify(before.first.values), before.first.line]])
    const values = JSON.stringify(row.values)
    const same = before.lineOf.get(values) ?? null
    if (same === null) before.lineOf.set(values, row.line)
    return { first: before.first.line, same }
  }
  return { see }
}
