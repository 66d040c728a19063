import { sql } from 'kysely'
import { headerKey, type MappingColumn } from '#domain/mapping.ts'
import type { MappedFileResult } from '#domain/mapped-file.ts'
import { importText } from '#domain/import.ts'
import { auditInsert } from '#server/jobs/imports/apply-employees.ts'
import type { Tx } from '#server/tables/database.ts'

/** The version of a mapping that read a file. */
interface ReadMapping {
  id: number
  employer_id: number
  version: number
  header_line: number
  columns: readonly MappingColumn[]
}

/**
 * Stores in a mapping how the columns of an applied file are to be read, by its content or as a person decided, so that the next
 * file causes no questions. A mapping changed in the meantime stays as it is. Its `updated_at` stays, too: the same file is read
 * the same way.
 */
export async function storeReadings(
  tx: Tx,
  mapping: ReadMapping,
  { readings, headerLine }: Pick<MappedFileResult, 'readings' | 'headerLine'>,
  { import_id, by, by_name }: { import_id: number; by: string; by_name: string },
): Promise<void> {
  const { id, employer_id, version, header_line } = mapping
  const columns = mapping.columns.map((column) => {
    const readAs = column.static || !column.header ? undefined : readings.get(headerKey(column.header))
    return readAs ? { ...column, read_as: readAs } : column
  })
  const now = { header_line: headerLine ?? header_line, columns }
  const before = { header_line, columns: mapping.columns }
  const isSame = (one: readonly MappingColumn[], other: readonly MappingColumn[]): boolean =>
    one.every((column, at) => (column.read_as ?? null) === (other[at]?.read_as ?? null))
  if (now.header_line === header_line && isSame(columns, mapping.columns)) return
  const { rows } = await sql`update mappings set header_line = ${now.header_line}, columns = ${JSON.stringify(columns)}::jsonb,
      version = version + 1 where id = ${id} and version = ${version} returning id`.execute(tx)
  if (rows.length === 0) return
  const snapshotOf = (one: typeof now | typeof before) => sql`${JSON.stringify({ file_mapping: id, ...one })}::jsonb`
  await sql`${auditInsert} select ${by}, ${by_name}, 'import.apply-file', 'employer', ${String(employer_id)}, 'user',
    'File mapping changed', ${importText(import_id)}, ${snapshotOf(before)}, ${snapshotOf(now)}, employers.version, 'employer:' || employers.id
    from employers where id = ${employer_id}`.execute(tx)
}
