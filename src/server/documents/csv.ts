import { type Options, stringify } from 'csv-stringify/sync'

/** One column of a CSV file; a number is an amount in cents, written as `1234.50`. */
export interface CsvColumn<Row> {
  title: string
  value: (row: Row) => string | number | null
}

/** Spreadsheets take a file for UTF-8 by this mark. */
export const byteOrderMark = '\ufeff'

const options: Options = {
  record_delimiter: '\r\n',
  // Readers end a line at either character, so quote both; by default the library quotes only the two together.
  quoted_match: /[\r\n]/,
  // Text that a spreadsheet would carry out as a formula is text.
  escape_formulas: true,
  cast: { number: (cents) => (cents / 100).toFixed(2) },
}

/** A cell that is written as it is: nothing in it has to be quoted, and no spreadsheet takes it for a formula. */
const plainCell = /^(?:[A-Za-z0-9][\w .:/@#-]*)?$/

/** Cells of a file as one line, without its end. Most lines of files are plain, and need no options to be read for each of them. */
export const csvLine = (cells: readonly string[]): string =>
  cells.length > 1 && cells.every((cell) => plainCell.test(cell))
    ? cells.join(',')
    : stringify([[...cells]], { ...options, eof: false })

/** The beginning of a file: its mark and the heads of its columns. */
export const csvHead = <Row>(columns: readonly CsvColumn<Row>[]): string =>
  byteOrderMark + stringify([columns.map((column) => column.title)], options)

/** Rows of a file. */
export const csvRows = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string =>
  stringify(
    rows.map((row) => columns.map((column) => column.value(row))),
    options,
  )
