import { addDays } from '#domain/calendar.ts'
import type { MappingColumn } from '#domain/mapping.ts'
import { cellTypeOf, identifierFields, type MappingField } from '#domain/mapping-fields.ts'

/** The known values of a line to write: dates `yyyy-MM-dd`, money in cents; unknown values are missing. */
export type WrittenValues = { readonly [Name in MappingField]?: string | number | null | undefined }

/** A value as formatted in the file: amounts in dollars with two decimals, dates adjusted by days. */
function written(field: MappingField, value: string | number | null | undefined, days: number): string {
  if (value === null || value === undefined) return ''
  const type = cellTypeOf(field)
  if (type === 'money') return (Number(value) / 100).toFixed(2)
  return type === 'date' && days !== 0 ? addDays(String(value), days) : String(value)
}

/** The headers of a file, and its lines of cells (MAP-031). */
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

/** Whether a line identifies a person by one of the identifiers in the file's columns. */
export const namesSomebody = (columns: readonly MappingColumn[], values: WrittenValues): boolean =>
  columns.some(
    (column) =>
      !column.static && column.field && identifierFields.some((name) => name === column.field) && Boolean(values[column.field]),
  )
