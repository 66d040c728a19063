import { pluralize } from '#kernel/pluralize.ts'
import { copyAndSay, notLoaded } from '#portal/platform/copy-and-say.ts'
import type { ListColumn } from '#portal/list/definition.ts'
import type { List } from '#portal/list/list.ts'
import { store } from '#portal/platform/store.ts'
import { record } from '#portal/records/entity-store.ts'

/** Rows as tab-separated text with headers; tabs and line breaks inside a cell become spaces, masked cells stay masked. */
export const tabSeparated = (columns: readonly ListColumn[], rows: readonly unknown[]): string =>
  [columns.map((column) => column.title), ...rows.map((row) => columns.map((column) => column.text(row)))]
    .map((cells) => cells.map((cell) => cell.replace(/\s+/g, ' ')).join('\t'))
    .join('\n')

/** The column of the active cell; undefined if a whole row is active. */
function activeColumn(list: List): ListColumn | undefined {
  const [name] = list.drawn[store.get(list.cellAtom)] ?? []
  return store.get(list.columnsAtom).find((each) => each.id === name)
}

/** The text of the active cell; null if a whole row is active. */
function cellOf(list: List): string | null {
  const { id } = store.get(list.cursorAtom)
  const column = activeColumn(list)
  const row = id === null ? undefined : record(list.rows, id)
  return column && row !== undefined ? column.text(row).trim() : null
}

/**
 * Copies the active cell of a list; if a whole row is active, the marked rows, else the active one. Says how many rows are
 * missing because they are not loaded.
 */
export async function copyRows(list: List): Promise<void> {
  const marked = store.get(list.markedAtom)
  const cell = cellOf(list)
  if (cell) return copyAndSay(cell, `Copied ${cell}`)
  const { id } = store.get(list.cursorAtom)
  const ids = marked?.ids ?? (id === null ? [] : [id])
  const rows = ids.map((each) => record(list.rows, each)).filter((row) => row !== undefined)
  if (!rows.length) return
  const all = marked ? marked.count : 1
  const missing = all === null ? '' : `; ${notLoaded(all, rows.length)}`
  await copyAndSay(
    tabSeparated(store.get(list.columnsAtom), rows),
    `${pluralize(rows.length)} copied`,
    all !== null && all <= rows.length ? null : `Only loaded rows can be copied${missing}.`,
  )
}

/** Copies the column of the active cell: the marked rows, else all loaded ones, one line each, as on screen. */
export async function copyColumn(list: List): Promise<void> {
  const column = activeColumn(list)
  if (!column) return
  const marked = store.get(list.markedAtom)
  const ids = marked && !marked.filter ? marked.ids : list.pages.loaded()
  const rows = ids.map((each) => record(list.rows, each)).filter((row) => row !== undefined)
  const all = marked ? marked.count : (store.get(list.whereAtom)?.count ?? null)
  const missing = all === null ? '' : `: ${notLoaded(all, rows.length)}`
  await copyAndSay(
    rows.map((row) => column.text(row).replace(/\s+/g, ' ').trim()).join('\n'),
    `${pluralize(rows.length, { one: 'value', many: 'values' })} of ${column.title} copied`,
    all !== null && all <= rows.length ? null : `Only loaded rows can be copied${missing}.`,
  )
}
