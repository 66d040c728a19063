import type { Field } from '#kernel/form.ts'
import { integerText } from '#portal/format/amount-text.ts'

/** The typed values of one row. */
export type Item = Readonly<Record<string, unknown>>

/** A row number given as text, `3`; null for anything else. */
export const placeIn = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,6}$/.test(text) ? Number.parseInt(text, 10) : null

/** A row without input. */
export const emptyItem = (columns: readonly Field[]): Item =>
  Object.fromEntries(columns.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial]])))

/** The rows with another one inserted at an index. */
export const added = (items: readonly Item[], at: number, item: Item): Item[] => [...items.slice(0, at), item, ...items.slice(at)]

/** The rows without one. */
export const removed = (items: readonly Item[], at: number): Item[] => items.filter((_, place) => place !== at)

/** The rows with one of them moved up or down; unchanged at either end. */
export function moved(items: readonly Item[], at: number, by: -1 | 1): readonly Item[] {
  const to = at + by
  if (to < 0 || to >= items.length) return items
  const now = [...items]
  now.splice(to, 0, ...now.splice(at, 1))
  return now
}

/** The rows with one cell changed, and its keys in the order of the columns; undefined values are omitted. */
export const changed = (
  items: readonly Item[],
  at: number,
  { columns, column, value }: { columns: readonly Field[]; column: string; value: unknown },
): Item[] =>
  items.map((item, place) => {
    if (place !== at) return item
    const now: Item = { ...item, [column]: value }
    return Object.fromEntries(columns.flatMap(({ name }) => (now[name] === undefined ? [] : [[name, now[name]]])))
  })

/** The cells of a text copied from a spreadsheet; null if it is a single cell. */
export function pastedCells(text: string): string[][] | null {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  if (lines.length === 1 && !text.includes('\t')) return null
  return lines.map((line) => line.split('\t').map((cell) => cell.trim()))
}

const yes = new Set(['yes', 'true', '1', 'x', 'on'])

/** The value of a spreadsheet cell in a column; unparsed text is left out, so that the user sees the gap. */
function meaning({ kind, options }: Field, text: string): unknown {
  if (text === '') return undefined
  if (kind === 'switch') return yes.has(text.toLowerCase())
  if (kind === 'integer') return integerText.parse(text) ?? undefined
  if (kind !== 'choice') return text
  const like = text.toLowerCase()
  return options.find(({ value, label }) => value.toLowerCase() === like || label.toLowerCase() === like)?.value
}

/** The rows with cells pasted from one cell on, to the right and down; missing rows are added, up to `max`. */
export function pasted(
  items: readonly Item[],
  columns: readonly Field[],
  from: { at: number; column: string },
  cells: readonly (readonly string[])[],
  max: number,
): Item[] {
  const first = columns.findIndex(({ name }) => name === from.column)
  const now = [...items]
  for (const [down, line] of cells.slice(0, Math.max(0, max - from.at)).entries()) {
    let item = now[from.at + down] ?? emptyItem(columns)
    for (const [right, cell] of line.entries()) {
      const column = columns[first + right]
      if (!column) continue
      const value = meaning(column, cell)
      item = changed([item], 0, { columns, column: column.name, value })[0] as Item
    }
    now[from.at + down] = item
  }
  return now
}
