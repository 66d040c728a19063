import { type Atom, atom } from 'jotai/vanilla'
import type { Total } from '#kernel/entity.ts'
import type { ListColumn } from '#portal/list/definition.ts'
import { hiddenMarksAtom, maxHidden } from '#portal/list/hidden-marks.ts'
import type { List } from '#portal/list/list.ts'
import { recordAtom } from '#portal/records/entity-store.ts'

/** The amount of a row in a column; null without one. */
function centsOf(column: ListColumn, row: unknown): number | null {
  const value = column.value?.(row)
  return value && 'cents' in value && value.unit === undefined ? value.cents : null
}

/** The sum of each column of amounts over rows; columns without any amount are left out. */
const sumsOfRows = (columns: readonly ListColumn[], rows: readonly unknown[]): Total[] =>
  columns.flatMap((column) => {
    if (column.sum === false || !column.value) return []
    const cents = rows.flatMap((row) => centsOf(column, row) ?? [])
    return cents.length ? [{ title: column.title, cents: cents.reduce((sum, each) => sum + each, 0) }] : []
  })

/** The sums that a count has for columns of amounts. */
const sumsOfCount = (columns: readonly ListColumn[], totals: Readonly<Record<string, number>>): Total[] =>
  columns.flatMap(({ title, sum, value }) => {
    const cents = sum && value ? totals[sum] : undefined
    return cents === undefined ? [] : [{ title, cents }]
  })

const sumsAtoms = new WeakMap<List, Atom<readonly Total[]>>()

/**
 * The sums of the visible amounts of the selected rows. Empty unless they are known for all of these rows: a marked row that is
 * not loaded, or a count that is estimated or of another filter, has no sum.
 */
export function selectionSumsAtom(list: List): Atom<readonly Total[]> {
  const known = sumsAtoms.get(list)
  if (known) return known
  const made = atom((get): readonly Total[] => {
    const marked = get(list.markedAtom)
    if (!marked) return []
    const columns = get(list.columnsAtom)
    if (marked.filter) {
      const counted = get(list.tally.countAtom)
      const isWhole = counted?.exact && counted.count === marked.count
      return isWhole && counted.totals ? sumsOfCount(columns, counted.totals) : []
    }
    // More hidden rows than this are not kept current.
    if (get(hiddenMarksAtom(list)).length > maxHidden) return []
    const rows = marked.ids.map((id) => get(recordAtom(list.rows, id)))
    return rows.every((row) => row !== undefined) ? sumsOfRows(columns, rows) : []
  })
  sumsAtoms.set(list, made)
  return made
}
