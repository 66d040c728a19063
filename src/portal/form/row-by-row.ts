import { same } from '#portal/form/page-values.ts'

/**
 * The rows of a table that two people changed, row by row: `rows` has what either of them changed, and the person's own where both
 * did; `seen` is what these were typed over. Null where rows were added or removed, so that no row is known to be another's.
 */
export function rowByRow(mine: unknown, seen: unknown, saved: unknown): { rows: unknown[]; seen: unknown[] } | null {
  if (!Array.isArray(mine) || !Array.isArray(seen) || !Array.isArray(saved)) return null
  if (mine.length !== seen.length || mine.length !== saved.length) return null
  const isBoth = (at: number) => !same(mine[at], seen[at]) && !same(saved[at], seen[at]) && !same(mine[at], saved[at])
  return {
    rows: mine.map((row, at) => (same(row, seen[at]) ? saved[at] : row)),
    seen: seen.map((row, at) => (isBoth(at) ? row : saved[at])),
  }
}
