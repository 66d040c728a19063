import type { MappedRow } from '#domain/mapping-reading.ts'

/** Earlier lines about the same person: the first one, and the one with the same values. Null if there is none. */
interface Repeated {
  first: number | null
  same: number | null
}

/**
 * Remembers the lines of a file to detect repeated ones. Values are serialized only for people with several lines, since most
 * have one.
 */
export function repeatedLines() {
  const known = new Map<string, { first: MappedRow; lineOf: Map<string, number> | null }>()

  /** Takes the next line; only lines with the same person and `group` can repeat each other. */
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

/** Message for the second of two identical lines; `before` is the first. */
export const saidTwice = (before: number): string => `It repeats line ${before}.`

/** Message for each of two contradicting lines about one employee; both are rejected, since either may be right. */
export const saidOtherwise = (other: number): string =>
  `Line ${other} has other values for the same employee. Keep one of the lines.`

/** Message for a time line that overlaps another one of the same employee; both are rejected, since either may be right. */
export const saidAtOnce = (other: number): string =>
  `Its times overlap with those of line ${other}. Keep one of the lines, or correct the times.`
