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
  // Text that a spreadsheet would carry out as a formula is text.
  escape_formulas: true,
  cast: { number: (cents) => (cents / 100).toFixed(2) },
}

/** Cells of a file as one line, without its end. */
export const csvLine = (cells: readonly string[]): string => stringify([[...cells]], { ...options, eof: false })

/** The beginning of a file: its mark and the heads of its columns. */
export const csvHead = <Row>(columns: readonly CsvColumn<Row>[]): string =>
  byteOrderMark + stringify([columns.map((column) => column.title)], options)

/** Rows of a file. */
export const csvRows = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string =>
  stringify(
    rows.map((row) => columns.map((column) => column.value(row))),
    options,
  )
