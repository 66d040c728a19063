import type { AnyEntity } from '#kernel/entity.ts'

/** A pasted line without a row: its number from 1, its text, and the reason. */
export interface LeftOut {
  line: number
  text: string
  reason: string
}

/** The pasted ids in order, each once with its line, and the lines left out. */
export interface PastedIds {
  ids: ReadonlyMap<string, number>
  left: readonly LeftOut[]
}

interface Line {
  line: number
  cells: readonly string[]
}

/** Several ids on one line separated by spaces: each has at least five digits, because groups of a telephone number have fewer. */
export const spacedIds = /^\s*\d{5,15}(\s+\d{5,15})+\s*$/

const maxTextLength = 60
const thousands = /^\d{1,3}(,\d{3})+$/

/**
 * Parses ids pasted from a spreadsheet: one per line, or separated by tabs, commas or semicolons, with or without a header. Of
 * several columns the ids are in the one with a matching header, else in the one with the most ids. Blank lines are skipped;
 * every other line without a row is reported.
 */
export function readPasted(pasted: string, entity: AnyEntity): PastedIds {
  const read = (cell: string) => entity.ids.read(cell)
  const lines = linesOf(pasted)
  const [first] = lines
  const heading = lines.length > 1 && first && !first.cells.some(read) && !first.cells.some(isNumber) ? first : null
  const rows = heading ? lines.slice(1) : lines
  const column = columnOf(rows, heading, entity)
  const ids = new Map<string, number>()
  const left: LeftOut[] = heading ? [leftOut(heading, wordsOf(heading), 'Heading.')] : []
  for (const row of rows) {
    // Amounts and counts beside the ids are shorter.
    const isLikeId = (cell: string) => column !== null && cell.length === row.cells[column]?.length && read(cell) !== null
    const others = heading ? [] : row.cells.filter((cell, at) => at !== column && isLikeId(cell))
    for (const cell of others) left.push(leftOut(row, cell, 'Not in the column with the most ids.'))
    for (const cell of column === null ? row.cells.filter(Boolean) : [row.cells[column] ?? '']) {
      const id = read(cell)
      const before = id === null ? undefined : ids.get(id)
      if (id === null) left.push(leftOut(row, cell || wordsOf(row), whyNoId(cell)))
      else if (before === undefined) ids.set(id, row.line)
      else left.push(leftOut(row, cell, `Already in line ${before}.`))
    }
  }
  return { ids, left }
}

const wordsOf = ({ cells }: Line): string => cells.filter(Boolean).join(' ')

const isNumber = (cell: string): boolean => /^\d+$/.test(cell) || thousands.test(cell)

const whyNoId = (cell: string): string =>
  thousands.test(cell)
    ? 'This is not an id. Write it without commas.'
    : cell === ''
      ? 'No id in this line.'
      : 'This is not an id.'

const leftOut = ({ line }: Line, text: string, reason: string): LeftOut => ({
  line,
  text: text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text,
  reason,
})

const linesOf = (pasted: string): Line[] =>
  pasted
    .split(/\r\n?|\n/)
    .map((text, at) => ({ line: at + 1, cells: cellsOf(text) }))
    .filter(({ cells }) => cells.some(Boolean))

/** Cells of a line. A number with thousands separators is one cell: split, it would be the ids of other records. */
function cellsOf(text: string): string[] {
  if (text.includes('\t')) return text.split('\t').map(bare)
  if (spacedIds.test(text)) return text.trim().split(/\s+/)
  if (thousands.test(text.trim())) return [text.trim()]
  return [...text.matchAll(/(?:^|[,;])((?:\s*"(?:[^"]|"")*"\s*)|[^,;]*)/g)].map(([, cell = '']) => bare(cell))
}

/** Strips what a spreadsheet adds around a value: quotes, a leading apostrophe, zero-width characters. */
const bare = (cell: string): string =>
  cell
    .replace(/[\u200b-\u200d\u2060\ufeff]/g, '')
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .replace(/^'/, '')
    .trim()

/** The column with the ids; null if every cell is an id of its own. */
function columnOf(rows: readonly Line[], heading: Line | null, entity: AnyEntity): number | null {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  if (width < 2) return null
  const named = heading ? headed(heading.cells, entity) : -1
  if (named !== -1) return named
  const counts = Array.from({ length: width }, (_, at) => rows.filter(({ cells }) => entity.ids.read(cells[at] ?? '')).length)
  // One line is a list of ids with a mistake rather than a table.
  const isTable = rows.length > 1 && rows.some(({ cells }) => cells.some((cell) => cell !== '' && entity.ids.read(cell) === null))
  const table = heading !== null || isTable
  return table ? counts.indexOf(Math.max(...counts)) : null
}

/** The header cell that names the ids: 'Employee ID' before 'ID' before 'Employee'. */
function headed(cells: readonly string[], { one }: AnyEntity): number {
  const names = cells.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ''))
  const noun = one.toLowerCase().replace(/[^a-z]/g, '')
  for (const name of [`${noun}id`, 'id', `${noun}number`, noun]) {
    const at = names.indexOf(name)
    if (at !== -1) return at
  }
  return -1
}
