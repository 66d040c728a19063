import { stringify } from 'csv-stringify/browser/esm/sync'
import type { ExportFormat } from '#kernel/command-host.ts'
import { businessTimeZone } from '#portal/format/dates.ts'
import type { CellValue, ListColumn } from '#portal/list/definition.ts'
import { type WorkbookCell, workbookFile } from '#portal/list/workbook-file.ts'

const byteOrderMark = '\ufeff'
const types: Record<ExportFormat, string> = {
  csv: 'text/csv;charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

const inBusinessZone = () =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: businessTimeZone(), dateStyle: 'short', timeStyle: 'short' })

/** A time in the business time zone as `2026-11-20 18:02`; the first ten characters are the day. */
const businessTime = (time: string | Date, zone = inBusinessZone()): string => zone.format(new Date(time))

/** A cell of an exported row. */
export type ExportCell =
  | { kind: 'empty' }
  | { kind: 'text'; text: string }
  /** `unit` is appended to the amount, such as `/ h`. */
  | { kind: 'cents'; number: number; unit?: string | undefined }
  | { kind: 'number'; number: number }
  /** `yyyy-MM-dd`. */
  | { kind: 'day'; text: string }
  /** `yyyy-MM-dd HH:mm` in the business time zone. */
  | { kind: 'time'; text: string }

const empty: ExportCell = { kind: 'empty' }

function typed(value: CellValue, zone: Intl.DateTimeFormat): ExportCell {
  if (value === null) return empty
  if ('cents' in value) return { kind: 'cents', number: value.cents, unit: value.unit }
  if ('number' in value) return { kind: 'number', number: value.number }
  if ('time' in value) return { kind: 'time', text: businessTime(value.time, zone) }
  return { kind: 'day', text: value.day.length === 10 ? value.day : businessTime(value.day, zone).slice(0, 10) }
}

/** The cells of rows in the order of the columns. The dash for an empty value becomes an empty cell. */
function exportCells(columns: readonly ListColumn[], rows: readonly unknown[]): ExportCell[][] {
  const zone = inBusinessZone()
  return rows.map((row) =>
    columns.map((column) => {
      if (column.value) return typed(column.value(row), zone)
      const text = column.text(row).trim()
      return text === '' || text === '—' ? empty : { kind: 'text', text }
    }),
  )
}

/** Prefixes text that a spreadsheet would evaluate as a formula with an apostrophe (CSV injection). */
const guarded = (text: string): string => (/^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text)

function csvText(cell: ExportCell): string {
  if (cell.kind === 'empty') return ''
  if (cell.kind === 'text') return guarded(cell.text)
  if (cell.kind === 'cents') return (cell.number / 100).toFixed(2)
  return cell.kind === 'number' ? String(cell.number) : cell.text
}

const csv = (titles: readonly string[], cells: readonly ExportCell[][]): string =>
  byteOrderMark + stringify([titles, ...cells.map((row) => row.map(csvText))], { record_delimiter: '\r\n' })

/** The serial date of a workbook: days since 30 December 1899, without a time zone. */
const serial = (text: string): number =>
  Date.parse(`${text.replace(' ', 'T')}${text.length === 10 ? 'T00:00' : ''}Z`) / 86_400_000 + 25_569

function workbookCell(cell: ExportCell): WorkbookCell {
  switch (cell.kind) {
    case 'empty':
      return null
    case 'text':
      return { text: cell.text }
    case 'cents':
      return { number: cell.number / 100, format: `#,##0.00${cell.unit ? `" ${cell.unit}"` : ''}` }
    case 'number':
      return { number: cell.number, format: '0' }
    case 'day':
      return { number: serial(cell.text), format: 'yyyy-mm-dd' }
    case 'time':
      return { number: serial(cell.text), format: 'yyyy-mm-dd hh:mm' }
  }
}

/**
 * Exports rows as a file with the columns in their order. Amounts are numbers with two decimals, dates are dates (`yyyy-MM-dd` in
 * CSV), times are in the business time zone, and everything else is text, which no spreadsheet evaluates.
 */
export async function exportFile(
  format: ExportFormat,
  title: string,
  columns: readonly ListColumn[],
  rows: readonly unknown[],
): Promise<Blob> {
  const titles = columns.map((column) => column.title)
  const cells = exportCells(columns, rows)
  const parts =
    format === 'csv'
      ? [csv(titles, cells)]
      : await workbookFile(
          title,
          titles,
          cells.map((row) => row.map(workbookCell)),
        )
  return new Blob(parts, { type: types[format] })
}

/** Maximum lengths of the parts of a file name, so that it stays below the limits of file systems and archives. */
const maxParts = { list: 40, filter: 60, person: 40 } as const

/** Lower-case letters and digits of any script, joined by hyphens, cut at a word if possible. */
function slug(text: string, max: number): string {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  let made = ''
  for (const word of words) {
    if (made && made.length + 1 + word.length > max) break
    made = made ? `${made}-${word}` : [...word].slice(0, max).join('')
  }
  return made
}

/**
 * The name of an exported file, `employees-active-june-smith-2026-11-29-1504.xlsx`: list, saved view or filter, person, and the
 * time in the business time zone.
 */
export function exportFileName(
  format: ExportFormat,
  { list, filter, person, at }: { list: string; filter: string; person: string; at: Date },
): string {
  const time = businessTime(at).replace(' ', '-').replace(':', '')
  const parts = [slug(list, maxParts.list), slug(filter, maxParts.filter), slug(person, maxParts.person), time]
  return `${parts.filter(Boolean).join('-')}.${format}`
}
