import { type Options, stringify } from 'csv-stringify/sync'

/** One column of a CSV file; a number is an amount in cents, written as `1234.50`. */
export interface CsvColumn<Row> {
  title: string
  value: (row: Row) => string | number | null
}

/** Byte order mark, from which spreadsheets recognize UTF-8. */
export const byteOrderMark = '\ufeff'

const options: Options = {
  record_delimiter: '\r\n',
  // Readers end a line at either character, so quote both; by default the library quotes only the two together.
  quoted_match: /[\r\n]/,
  // Prevents spreadsheets from executing text as a formula.
  escape_formulas: true,
  cast: { number: (cents) => (cents / 100).toFixed(2) },
}

/** A cell that needs neither quotes nor a guard against formulas. */
const plainCell = /^(?:[A-Za-z0-9][\w .:/@#-]*)?$/

/** Cells as one line without line break. Most lines of files are plain, and skip the cost of the library. */
export const csvLine = (cells: readonly string[]): string =>
  cells.length > 1 && cells.every((cell) => plainCell.test(cell))
    ? cells.join(',')
    : stringify([[...cells]], { ...options, eof: false })

/** The start of a file: byte order mark and header line. */
export const csvHead = <Row>(columns: readonly CsvColumn<Row>[]): string =>
  byteOrderMark + stringify([columns.map((column) => column.title)], options)

/** Rows of a file. */
export const csvRows = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string =>
  stringify(
    rows.map((row) => columns.map((column) => column.value(row))),
    options,
  )
