import type { Field } from '#kernel/form.ts'
import type { Values } from '#kernel/form-values.ts'
import { changed, same } from '#portal/form/session/values.ts'

/** The saved values of a form: as last read, and as they were when the user typed over them. */
export interface SavedValues {
  saved: Values
  seen: Values
}

/** The names of the dirty fields that somebody else saved differently. */
export function conflictsIn(fields: readonly Field[], values: Values, { saved, seen }: SavedValues): string[] {
  const typed = new Set(changed(fields, values, seen))
  const differing = new Set(changed(fields, values, saved))
  return changed(fields, saved, seen).flatMap((field) => (typed.has(field) && differing.has(field) ? [field.name] : []))
}

/**
 * Moves typed values onto newly saved ones: a clean field follows, the rows of a table are merged. `put` are the values to put
 * into the form.
 */
export function rebase(
  fields: readonly Field[],
  values: Values,
  { saved: before, seen: typedOver }: SavedValues,
  saved: Values,
): { seen: Values; put: Values } {
  const seen = { ...typedOver }
  const put: Values = {}
  const isClean = ({ name }: Field) => [typedOver, before, saved].some((each) => same(values[name], each[name]))
  // A field may also be set by another one, such as a switch.
  const set = changed(fields, values, typedOver)
  for (const field of fields.filter(isClean)) {
    if (!set.includes(field)) seen[field.name] = saved[field.name]
    if (!same(values[field.name], saved[field.name])) put[field.name] = saved[field.name]
  }
  for (const { name, kind } of set) {
    const mine = name in put ? put[name] : values[name]
    const merged = kind === 'table' ? mergeRows(mine, seen[name], saved[name]) : null
    if (!merged) continue
    seen[name] = merged.seen
    if (!same(values[name], merged.rows)) put[name] = merged.rows
  }
  return { seen, put }
}

/**
 * Three-way merge of a table that two people changed: `rows` has the changes of either, and the user's own if both changed a row;
 * `seen` is the new base. Null if rows were added or removed, so that rows cannot be matched.
 */
function mergeRows(mine: unknown, seen: unknown, saved: unknown): { rows: unknown[]; seen: unknown[] } | null {
  if (!Array.isArray(mine) || !Array.isArray(seen) || !Array.isArray(saved)) return null
  if (mine.length !== seen.length || mine.length !== saved.length) return null
  const isBoth = (at: number) => !same(mine[at], seen[at]) && !same(saved[at], seen[at]) && !same(mine[at], saved[at])
  return {
    rows: mine.map((row, at) => (same(row, seen[at]) ? saved[at] : row)),
    seen: seen.map((row, at) => (isBoth(at) ? row : saved[at])),
  }
}
