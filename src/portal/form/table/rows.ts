import type { Field } from '#kernel/form.ts'
import { integerText } from '#portal/format/amount-text.ts'

/** One row as it is typed. */
export type Item = Readonly<Record<string, unknown>>

/** The place of a row in text, `3`; null for anything else. */
export const placeIn = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,6}$/.test(text) ? Number.parseInt(text, 10) : null

/** A row in which nothing is typed yet. */
export const emptyItem = (columns: readonly Field[]): Item =>
  Object.fromEntries(columns.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial]])))

/** The rows with a row more behind a place. */
export const added = (items: readonly Item[], at: number, item: Item): Item[] => [...items.slice(0, at), item, ...items.slice(at)]

/** The rows without one. */
export const removed = (items: readonly Item[], at: number): Item[] => items.filter((_, place) => place !== at)

/** The rows with one of them moved up or down; the same where it is at the end already. */
export function moved(items: readonly Item[], at: number, by: -1 | 1): readonly Item[] {
  const to = at + by
  if (to < 0 || to >= items.length) return items
  const now = [...items]
  now.splice(to, 0, ...now.splice(at, 1))
  return now
}

/** The rows with one cell changed, what is typed in the order of the columns; what is undefined is not there. */
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

/** The cells of a text that a spreadsheet copied; null for one that is a single cell. */
export function pastedCells(text: string): string[][] | null {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  if (lines.length === 1 && !text.includes('\t')) return null
  return lines.map((line) => line.split('\t').map((cell) => cell.trim()))
}

const yes = new Set(['yes', 'true', '1', 'x', 'on'])

/** What a cell of a spreadsheet means in a column; what is not understood is left out, so that the person sees the gap. */
function meaning({ kind, options }: Field, text: string): unknown {
  if (text === '') return undefined
  if (kind === 'switch') return yes.has(text.toLowerCase())
  if (kind === 'integer') return integerText.parse(text) ?? undefined
  if (kind !== 'choice') return text
  const like = text.toLowerCase()
  return options.find(({ value, label }) => value.toLowerCase() === like || label.toLowerCase() === like)?.value
}

/** The rows with cells pasted from one cell on, to the right and downwards; rows that are missing are added, up to `most`. */
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
