import { columnReadingOf, type ReadAs, readAsLabels, readingsOf } from '#domain/column-evidence.ts'
import { fileStatusOf, type StatusMapping, plainStatus } from '#domain/import.ts'
import { cellText, understand } from '#domain/mapping-cells.ts'
import {
  cellTypeOf,
  confirmedFields,
  fieldsOfKind,
  isReadPerLine,
  identifierFields,
  isWritten,
  type MappingField,
  mappingFields,
  mappingKindLabels,
  maxColumns,
  type MappingKind,
  paymentFields,
} from '#domain/mapping-fields.ts'
import { validateFileName } from '#domain/mapping-file-name.ts'
import { shortened } from '#domain/text.ts'

/** A column of a file, in file order. */
export interface MappingColumn {
  /** As in the header line; a static column of a file that is read has none. */
  header?: string | null | undefined
  /** The field of the column; a static column of a file that is written may have none. */
  field?: MappingField | null | undefined
  /** True if each line has the same value. */
  static?: boolean | undefined
  static_value?: string | null | undefined
  /** Days added to a date. */
  day_adjustment?: number | null | undefined
  /** How its cells are read, if the format is ambiguous. */
  read_as?: ReadAs | null | undefined
}

/** Maximum line number of the headers. */
export const maxHeaderLine = 100
/** Maximum number of mapped statuses. */
export const maxStatuses = 200

/** Input of the mapping form. */
export interface MappingValues {
  file_name: string
  columns: readonly MappingColumn[]
  /** The line of the headers, from 1. */
  header_line?: number | undefined
  /** Meanings of the file's statuses. */
  statuses?: readonly StatusMapping[] | undefined
}

/** An error in a field, `columns.2.header`, in words for people. */
export interface Fault {
  path: string
  message: string
}

/** ERR-042. */
const statusMissing = 'Missing Status column in EE File mapping'
/** ERR-041. */
export const configurationsMissing = 'Unable to map file, Configurations need to be setup.'

/** Headers are equal if they look equal in a spreadsheet: case, outer and repeated blanks make no difference. */
export const headerKey = (header: string): string => header.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()

const isBlank = (text: string | null | undefined): boolean => !text || text.trim() === ''

/** The error in a static value: it would be invalid in a file, too, or the field differs by line. */
function validateStatic(
  kind: MappingKind,
  field: MappingField,
  value: string,
  { days, statuses }: { days: number; statuses: readonly StatusMapping[] },
): string | null {
  if (isReadPerLine(field)) return `${mappingFields[field].title} differs from line to line: only a column of the file tells it.`
  if (isWritten(kind)) return null
  const found = understand(cellTypeOf(field), cellText(value), { days })
  if ('fault' in found) return found.fault
  return field === 'status' && fileStatusOf(value, [], statuses) === null
    ? `${shortened(value)} is no status that is known, such as Active.`
    : null
}

/** The error in a single column (MAP-034, MAP-041). */
function validateColumn(kind: MappingKind, column: MappingColumn, at: number, statuses: readonly StatusMapping[]): Fault[] {
  const path = (name: keyof MappingColumn) => `columns.${at}.${name}`
  const { header, field, static: isStatic, static_value, day_adjustment, read_as } = column
  const faults: Fault[] = []
  const nameless = isStatic && !isWritten(kind)
  if (isBlank(header) && !nameless) faults.push({ path: path('header'), message: 'A column header is required.' })
  if (header?.includes(',')) faults.push({ path: path('header'), message: 'A column header must not contain commas.' })
  if (isStatic && isBlank(static_value))
    faults.push({ path: path('static_value'), message: 'A static column needs a static value.' })
  if (isStatic && !isBlank(static_value) && field) {
    const fault = validateStatic(kind, field, static_value ?? '', { days: day_adjustment ?? 0, statuses })
    if (fault) faults.push({ path: path('static_value'), message: fault })
  }
  if (!isStatic && !isBlank(static_value))
    faults.push({ path: path('static_value'), message: 'Only a static column has a static value.' })
  if (!field) {
    if (!isStatic || !isWritten(kind)) faults.push({ path: path('field'), message: 'Choose what the column stands for.' })
  } else if (!fieldsOfKind(kind).includes(field))
    faults.push({
      path: path('field'),
      message: `${mappingFields[field].title} has no effect in ${mappingKindLabels[kind]} files. Remove this column here; the file may have it.`,
    })
  if (day_adjustment && (!field || cellTypeOf(field) !== 'date'))
    faults.push({ path: path('day_adjustment'), message: 'Only a date column has a day adjustment.' })
  const reading = read_as ? validateReading(kind, column, read_as) : null
  if (reading) faults.push({ path: path('read_as'), message: reading })
  return faults
}

/** The error in a column's format setting: only dates have an order of day and month, amounts a decimal separator, hours a unit. */
function validateReading(kind: MappingKind, { field, static: isStatic }: MappingColumn, readAs: ReadAs): string | null {
  if (isWritten(kind) || isStatic) return 'Only a column of a file that is read has a reading.'
  const possible = field ? readingsOf(cellTypeOf(field)) : []
  if (possible.includes(readAs)) return null
  const { dateOrder, decimalMark } = columnReadingOf(readAs)
  const wanted = dateOrder ? 'a date or time' : decimalMark ? 'an amount' : 'hours'
  return `Only a column of ${wanted} is read as ${readAsLabels[readAs].toLowerCase()}.`
}

/** Errors in mapped statuses: each may occur once, and only in employee files. */
function validateStatuses(kind: MappingKind, statuses: readonly StatusMapping[]): Fault[] {
  if (statuses.length === 0) return []
  if (kind !== 'EMPLOYEE') return [{ path: 'statuses', message: 'Only files of employees have statuses that mean something.' }]
  if (statuses.length > maxStatuses) return [{ path: 'statuses', message: `At most ${maxStatuses} statuses` }]
  const seen = new Set<string>()
  return statuses.flatMap(({ value }, at) => {
    const key = plainStatus(value)
    if (seen.has(key)) return [{ path: `statuses.${at}.value`, message: 'Another row has this status already.' }]
    seen.add(key)
    return []
  })
}

/** Errors in the combination of columns (MAP-033, MAP-040). */
function validateTogether(kind: MappingKind, columns: readonly MappingColumn[]): Fault[] {
  const faults: Fault[] = []
  const headers = new Map<string, number>()
  const fields = new Map<MappingField, MappingColumn>()
  for (const [at, column] of columns.entries()) {
    const { header, field } = column
    if (header && !isBlank(header)) {
      const key = headerKey(header)
      if (headers.has(key)) faults.push({ path: `columns.${at}.header`, message: 'Column headers must be unique.' })
      headers.set(key, at)
    }
    if (!field) continue
    const other = fields.get(field)
    if (!other) fields.set(field, column)
    else if (cellTypeOf(field) === 'date') {
      if ((other.day_adjustment ?? 0) !== (column.day_adjustment ?? 0))
        faults.push({
          path: `columns.${at}.day_adjustment`,
          message: 'Duplicate date columns must have identical day adjustments.',
        })
    } else if (!isWritten(kind))
      faults.push({ path: `columns.${at}.field`, message: `Another column is ${mappingFields[field].title} already.` })
  }
  return faults
}

/** Columns that a file lacks (MAP-037 to MAP-039, MAP-042, MAP-043, ERR-042). */
function validateLacking(kind: MappingKind, columns: readonly MappingColumn[]): Fault[] {
  const mapped = new Set(columns.flatMap(({ field }) => field ?? []))
  // A static column has the same value in every line, so it identifies nobody and contains no amount.
  const varied = new Set(columns.flatMap((column) => (column.static ? [] : (column.field ?? []))))
  const lacks = (fields: readonly MappingField[]) => !fields.some((field) => varied.has(field))
  const said: string[] = []
  if (lacks(identifierFields))
    said.push('An employee identifier is required: employee code, external TK id or secondary external TK id.')
  if (kind === 'EMPLOYEE' && !mapped.has('status')) said.push(statusMissing)
  if (kind === 'CONFIRMATION' && lacks(confirmedFields))
    said.push('The confirmation file needs at least one of deduction withheld or not withheld.')
  if (kind === 'TIMEKEEPING' && lacks(['work_date'])) said.push('A TK file needs the work date.')
  if (kind === 'TIMEKEEPING' && lacks(['work_hours', 'earned_wage']) && (lacks(['clock_in']) || lacks(['clock_out'])))
    said.push('A TK file needs work hours, clock in and out, or the earned wage.')
  if (kind === 'DEDUCTION' && lacks(paymentFields)) said.push('There must be at least one payment field option.')
  return said.map((message) => ({ path: 'columns', message }))
}

/** All errors in a mapping (MAP-033 to MAP-052): used by the form, the server, and the dry run. */
export function validateMapping(
  kind: MappingKind,
  { file_name, columns, header_line = 1, statuses = [] }: MappingValues,
): Fault[] {
  const name = validateFileName(kind, file_name)
  const faults: Fault[] = name ? [{ path: 'file_name', message: name }] : []
  if (columns.length > maxColumns) return [...faults, { path: 'columns', message: `At most ${maxColumns} columns` }]
  for (const [at, column] of columns.entries()) faults.push(...validateColumn(kind, column, at, statuses))
  if (header_line !== 1 && isWritten(kind))
    faults.push({ path: 'header_line', message: 'A file that is written has its headers in line 1.' })
  faults.push(...validateStatuses(kind, statuses))
  return [...faults, ...validateTogether(kind, columns), ...validateLacking(kind, columns)]
}
