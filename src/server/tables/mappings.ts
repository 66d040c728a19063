import { type Generated, type RawBuilder, sql } from 'kysely'
import { Mapping, type TypedMapping } from '#contract/mappings.ts'
import type { MappingKind } from '#domain/mapping-fields.ts'
import { fileKeyOf, warnFileName } from '#domain/mapping-file-name.ts'
import type { Actor, Reader } from '#server/access/actor.ts'
import { openTo } from '#server/access/scope.ts'
import type { Stamped, Tx } from '#server/tables/database.ts'
import { isLate } from '#server/tables/late-files.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import { isFound, selectAll, selectOne } from '#server/postgres/select.ts'
import { insertRow, saveRow } from '#server/tables/rows.ts'

/** The table `mappings`. */
export interface MappingTable extends Stamped {
  kind: MappingKind
  employer_id: number
  file_name: string
  file_key: string
  vendor: string | null
  columns: string
  header_line: Generated<number>
  statuses: Generated<string>
}

declare module '#server/tables/database.ts' {
  interface Database {
    mappings: MappingTable
  }
}

/** A mapping as read from the database. */
export type MappingRow = Omit<Mapping, 'created_at' | 'updated_at' | 'file_name_warning'> & {
  created_at: Date
  updated_at: Date
  organization_id: number
}

const columns = sql`e.id, e.kind, e.employer_id, employer.internal_name as employer_name, employer.organization_id, e.file_name,
  e.vendor, e.columns, e.header_line, e.statuses, e.created_at, e.updated_at, e.version,
  (select ${isLate} from (select e.*) m cross join (select employer.*) e) as late`
const from = sql`mappings e join employers employer on employer.id = e.employer_id`

/** A mapping as returned by the API. */
export const toMapping = (row: MappingRow): Mapping =>
  answerOf(Mapping, {
    ...row,
    // Columns saved before `read_as` existed do not have it.
    columns: row.columns.map((column) => ({ ...column, read_as: column.read_as ?? null })),
    file_name_warning: warnFileName(row.file_name),
  })

const open = (actor: Reader) => openTo(actor, sql.ref('e.employer_id'))

/** Maximum number of rows in an unpaged answer. */
const maxListed = 1_000

/** The mappings of a kind that are open to the person, optionally of one employer. */
export async function mappingsOfKind(
  tx: Tx,
  actor: Actor,
  kind: MappingKind,
  employerId: number | undefined,
): Promise<MappingRow[]> {
  return selectAll<MappingRow>(tx)`select ${columns} from ${from}
    where e.kind = ${kind} and (${employerId ?? null}::bigint is null or e.employer_id = ${employerId ?? null}) and ${open(actor)}
    order by e.id limit ${maxListed}`
}

const read = async (tx: Tx, actor: Actor, condition: RawBuilder<unknown>, lock = false): Promise<MappingRow | null> => {
  return selectOne<MappingRow>(tx)`select ${columns} from ${from} where ${condition} and ${open(actor)}
    ${lock ? sql`for update of e` : sql``}`
}

/** One mapping, if it is open to the person, optionally of a kind; with `lock` nobody else changes it before the commit. */
export const oneMapping = (
  tx: Tx,
  actor: Actor,
  { id, kind }: { id: number; kind?: MappingKind },
  { lock = false } = {},
): Promise<MappingRow | null> =>
  read(tx, actor, sql`e.id = ${id} and (${kind ?? null}::text is null or e.kind = ${kind ?? null})`, lock)

/** Normalizes the entered columns for storage: missing values become null. */
const columnsOf = ({ columns: typed }: TypedMapping): Mapping['columns'] =>
  typed.map((column) => ({
    header: column.header ?? null,
    field: column.field ?? null,
    static: column.static,
    static_value: column.static_value ?? null,
    day_adjustment: column.day_adjustment ?? 0,
    read_as: column.read_as ?? null,
  }))

const rowOf = (values: TypedMapping) => ({
  file_name: values.file_name,
  file_key: fileKeyOf(values.file_name),
  vendor: values.vendor ?? null,
  columns: JSON.stringify(columnsOf(values)),
  header_line: values.header_line,
  statuses: JSON.stringify(values.statuses),
})

/** Adds a mapping to an employer; returns its id. */
export async function insertMapping(tx: Tx, kind: MappingKind, employerId: number, values: TypedMapping): Promise<number> {
  return insertRow(tx, 'mappings', { kind, employer_id: employerId, ...rowOf(values) })
}

/** Changes a locked mapping. */
export const updateMapping = (tx: Tx, id: number, values: TypedMapping, now: Date): Promise<unknown> =>
  saveRow(tx, 'mappings', id, rowOf(values), now)

/** Deletes a mapping. */
export const dropMapping = (tx: Tx, id: number): Promise<unknown> => tx.deleteFrom('mappings').where('id', '=', id).execute()

/**
 * Why a mapping cannot have this file name: another one of the organization reads files with it. The sentence does not mention a
 * mapping that the person may not see. Null if the name is free. The caller holds the lock of the organization.
 */
export async function refusedFileName(
  tx: Tx,
  actor: Reader,
  { organizationId, kind, name, but }: { organizationId: number; kind: MappingKind; name: string; but: number | null },
): Promise<string | null> {
  const { rows } = await sql<{ visible: boolean }>`select ${open(actor)} as visible from ${from}
    where e.kind = ${kind} and e.file_key = ${fileKeyOf(name)}
    and employer.organization_id = ${organizationId} and e.id is distinct from ${but}::bigint limit 1`.execute(tx)
  if (!rows[0]) return null
  return rows[0].visible
    ? 'Another file mapping of this organization reads files of this name.'
    : 'This file name cannot be used. Choose another one, such as one with the code of the employer.'
}

/** The columns and file name of an employer's EWA files; null without a mapping for them. */
export async function ewaMappingOf(tx: Tx, employerId: number): Promise<Pick<Mapping, 'file_name' | 'columns'> | null> {
  return selectOne<Pick<Mapping, 'file_name' | 'columns'>>(tx)`select file_name, columns from mappings
    where employer_id = ${employerId} and kind = 'DEDUCTION' order by id limit 1`
}

/** Whether an employer has another mapping of this kind. */
export async function hasOther(tx: Tx, employerId: number, kind: MappingKind, but: number | null): Promise<boolean> {
  return isFound(tx)`select 1 from mappings where employer_id = ${employerId} and kind = ${kind}
    and id is distinct from ${but}::bigint limit 1`
}
