import { same } from '#portal/form/page-values.ts'

/**
 * Three-way merge of a table that two people changed: `rows` has the changes of either, and the user's own if both changed a row;
 * `seen` is the new base. Null if rows were added or removed, so that rows cannot be matched.
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
