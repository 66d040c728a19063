import { type ColumnEvidence, columnEvidence, columnReadingOf, type ReadAs } from '#domain/column-evidence.ts'
import type { ColumnReading } from '#domain/column-reading.ts'
import { headerKey, type MappingColumn } from '#domain/mapping.ts'
import { type CellType, cellTypeOf, isReadPerLine, type MappingField, mappingFields } from '#domain/mapping-fields.ts'

/** The title of a field. */
export const named = (field: MappingField): string => mappingFields[field].title

/** A column that the mapping reads, and its position in the file. */
export interface Place extends ColumnSeen {
  /** Index in a line, from 0; null for a static column, -1 if the file does not have it. */
  at: number | null
  title: string
  field: MappingField
  type: CellType
  days: number
  reading: ColumnReading
  /** The value of a static column. */
  fixed: string | null
}

/** Evidence about the format of a column, and the mapping's setting. */
export interface ColumnSeen {
  title: string
  evidence: ColumnEvidence
  setting: ReadAs | null
}

/**
 * Finds the columns of a mapping by the header keys of a file, `headers`; `missing` are those not found. `readings` override
 * the settings of the mapping.
 */
export function placesOf(
  columns: readonly MappingColumn[],
  headers: ReadonlyMap<string, number>,
  { readings, workbook }: { readings: ReadonlyMap<string, ReadAs> | undefined; workbook: boolean },
): { places: Place[]; missing: string[] } {
  const missing: string[] = []
  const places = columns.flatMap((column) => {
    const { header, field, static: isStatic, static_value, day_adjustment, read_as } = column
    if (!field || (isStatic && isReadPerLine(field))) return []
    const at = isStatic ? null : (headers.get(headerKey(header ?? '')) ?? -1)
    if (at === -1) missing.push(header ?? '')
    const title = header || named(field)
    const type = cellTypeOf(field)
    const setting = isStatic ? null : (read_as ?? null)
    return [
      {
        at,
        title,
        field,
        type,
        days: day_adjustment ?? 0,
        reading: columnReadingOf(readings?.get(headerKey(title)) ?? setting),
        evidence: columnEvidence(title, type, { workbook }),
        setting,
        fixed: isStatic ? (static_value ?? '') : null,
      },
    ]
  })
  return { places, missing }
}
