import { addDays } from '#domain/calendar.ts'
import type { MappingColumn } from '#domain/mapping.ts'
import { cellTypeOf, identifierFields, type MappingField } from '#domain/mapping-fields.ts'

/** What is known of one line of a file that is written: dates `yyyy-MM-dd`, money in cents; what is not known is left out. */
export type WrittenValues = { readonly [Name in MappingField]?: string | number | null | undefined }

/** A value as the file has it: amounts in dollars with two decimals, dates as they are, adjusted by days. */
function written(field: MappingField, value: string | number | null | undefined, days: number): string {
  if (value === null || value === undefined) return ''
  const type = cellTypeOf(field)
  if (type === 'money') return (Number(value) / 100).toFixed(2)
  return type === 'date' && days !== 0 ? addDays(String(value), days) : String(value)
}

/** The headers of a file, and its lines, each with the cells of its columns (MAP-031). */
export function writtenFile(
  columns: readonly MappingColumn[],
  lines: readonly WrittenValues[],
): { head: string[]; rows: string[][] } {
  return {
    head: columns.map(({ header }) => header ?? ''),
    rows: lines.map((values) =>
      columns.map((column) => {
        if (column.static || !column.field) return column.static_value ?? ''
        return written(column.field, values[column.field], column.day_adjustment ?? 0)
      }),
    ),
  }
}

/** Whether a file says whom a line is about: by one of the identifiers that it has a column for. */
export const namesSomebody = (columns: readonly MappingColumn[], values: WrittenValues): boolean =>
  columns.some(
    (column) =>
      !column.static && column.field && identifierFields.some((name) => name === column.field) && Boolean(values[column.field]),
  )
