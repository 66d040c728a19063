import { type Generated, type Selectable, sql } from 'kysely'
import { Import, listImports } from '#contract/imports.ts'
import {
  type ImportKind,
  type ImportSource,
  type ImportStatus,
  leavesOut,
  type StaffFile,
  waitsWithChangedCodes,
} from '#domain/import.ts'
import type { FileAnswers, FileQuestion, ReadingReport } from '#domain/mapped-file.ts'
import type { Actor, Reader } from '#server/access/actor.ts'
import { openTo, organizationWholeTo } from '#server/access/scope.ts'
import { defineList } from '#server/paging/define-list.ts'
import { searched } from '#server/tables/company-words.ts'
import { hasPermission } from '#server/tables/employees.ts'
import { businessDay, choice, byDay, idIn, yesOrNo } from '#server/tables/conditions.ts'
import { identifierFields, type IdentifierField } from '#domain/mapping-fields.ts'
import type { Tx } from '#server/tables/database.ts'
import { losesUnnamed, staffOf } from '#server/tables/file-effects.ts'
import { identifierColumns } from '#server/tables/identifiers.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import { selectAll } from '#server/postgres/select.ts'
import { insertRow } from '#server/tables/rows.ts'

/** The table `imports`: received files. */
export interface ImportTable {
  id: Generated<number>
  organization_id: number
  employer_id: number | null
  kind: ImportKind
  source: ImportSource
  file_name: string
  file_key: string
  size: number
  hash: string
  status: ImportStatus
  phase: Generated<'READING' | 'APPLYING' | null>
  message: string | null
  header: string | null
  incremental: boolean | null
  lines: Generated<number>
  accepted: Generated<number>
  rejected: Generated<number>
  created: Generated<number>
  changed: Generated<number>
  unknown: Generated<number>
  ended: Generated<number>
  absent: Generated<number>
  uncounted: Generated<number>
  held_for: number | null
  received_at: Generated<Date>
  received_by: string
  received_by_name: string
  finished_at: Date | null
  decided_at: Date | null
  decided_by: string | null
  decided_by_name: string | null
  absent_allowed: number | null
  /** The address to notify when the file fails; null if there is none, and once the mail is sent. */
  answer_to: string | null
  lists_people: Generated<boolean>
  undone_at: Date | null
  mends: number | null
  /** Whether lines about other employers of the organization are imported for them. */
  for_all_employers: Generated<boolean>
  /** The import whose file this one reads for another employer; null for a file of its own. */
  part_of: number | null
  tries: Generated<number>
  /** A report of how it was read; null until it is. */
  read_as: ReadingReport | null
  /** Questions about the file for a person, and their answers. */
  asked: Generated<{ questions: FileQuestion[]; answers: FileAnswers }>
  version: Generated<number>
}

/** The table `import_parts`: the bytes of a file, in order. */
export interface ImportPartTable {
  import_id: number
  part: number
  content: Buffer
}

declare module '#server/tables/database.ts' {
  interface Database {
    imports: ImportTable
    import_parts: ImportPartTable
  }
}

/** An import with the names of its companies. */
export interface ImportRow extends Selectable<ImportTable> {
  organization_name: string
  employer_name: string | null
  /** Whether a newer file of the same name was imported. */
  outdated: boolean
  /** The next file of employees imported for the employer. */
  followed_by: number | null
  /**
   * For a file that waits for a decision: the number of people missing from it now, and the staff. Null if the named people are
   * no longer stored.
   */
  leaves: { absent: number; staff: number } | null
  /** Its open questions. */
  questions: FileQuestion[]
}

const column = (name: string) => sql.ref(`e.${name}`)
/** A file that no mapping reads may be about anybody of the organization. */
const open = (actor: Reader) =>
  sql`case when e.employer_id is null then ${organizationWholeTo(actor, column('organization_id'))} else ${openTo(actor, column('employer_id'))} end`
const joined = sql`imports e join organizations organization on organization.id = e.organization_id
  left join employers employer on employer.id = e.employer_id`

const outdated = sql`e.status = 'PAUSED' and exists (select from imports newer where newer.organization_id = e.organization_id
  and newer.kind = e.kind and newer.file_key = e.file_key and newer.id > e.id and newer.status = 'SUCCESS'
  and newer.employer_id is not distinct from e.employer_id and newer.mends is null)`
/** The next file of employees imported for the employer. */
const followedBy = sql`case when e.status = 'SUCCESS' and e.kind = 'EMPLOYEE' then (select min(newer.id) from imports newer
  where newer.employer_id = e.employer_id and newer.id > e.id and newer.kind = 'EMPLOYEE' and newer.status = 'SUCCESS') end`
const namedIn = (field: IdentifierField) => sql`exists (select from import_names named where named.import_id = e.id
  and named.by = ${sql.lit(field)} and named.identifier = ${sql.ref(`s.${identifierColumns[field]}`)})`
/** The staff changes while a file waits, so missing people are counted at every read. A file without lines names nobody. */
const leaves = sql`case when e.status = 'PAUSED' and jsonb_array_length(e.asked -> 'questions') = 0 and (e.lines = 0 or exists (select from import_names named where named.import_id = e.id))
  then (select json_build_object('staff', count(*), 'absent', count(*) filter (where ${losesUnnamed('s')}
      and not (${sql.join(identifierFields.map(namedIn), sql` or `)})))
    from employees s where s.employer_id = e.employer_id and ${staffOf('s')}) end`
const columns = sql<ImportRow>`e.*, organization.name as organization_name, employer.internal_name as employer_name, ${outdated} as outdated,
  ${followedBy} as followed_by, ${leaves} as leaves,
  case when e.status = 'PAUSED' then e.asked -> 'questions' else '[]' end as questions`

/** Whether a file waits for a decision, or failed without a later replacement. */
export const waitingImport = sql`(e.status = 'PAUSED' or e.status = 'FAIL' and not exists (select from imports newer
  where newer.organization_id = e.organization_id and newer.kind = e.kind and newer.file_key = e.file_key and newer.id > e.id
    and (newer.employer_id = e.employer_id or newer.employer_id is null or e.employer_id is null)
    and newer.status not in ('FAIL', 'REJECTED')))`

/** Imported files, newest first by default. */
export const importList = defineList({
  endpoint: listImports,
  from: joined,
  open,
  filters: {
    id: idIn(column('id')),
    ...choice('status', column('status')),
    ...choice('kind', column('kind')),
    ...choice('source', column('source')),
    ...yesOrNo('waiting', waitingImport),
    ...yesOrNo('mine', ({ actor }) => sql`${column('received_by')} = ${actor.id}`),
    'organization-id': idIn(column('organization_id')),
    'employer-id': idIn(column('employer_id')),
    ...byDay('received', businessDay(column('received_at'))),
    q: searched(sql`fold(e.file_name || ' ' || organization.name || ' ' || coalesce(employer.internal_name, ''))`),
  },
  sorts: {
    id: null,
    received_at: column('received_at'),
    file_name: sql`e.file_name collate "C"`,
    status: column('status'),
    rejected: column('rejected'),
  },
  columns,
  lock: (id) => sql`select 1 from imports where id = ${id} for no key update`,
})

/** One import, if the person may see it. With `lock`, references to it may still be inserted before the commit. */
export const oneImport = importList.one

/** The mappings that read a file of this name, optionally of one employer. */
export async function mappingsFor(
  tx: Tx,
  file: { organization_id: number; employer_id: number | null; kind: ImportKind; file_key: string },
): Promise<{ id: number; employer_id: number; employer_name: string }[]> {
  return selectAll<{ id: number; employer_id: number; employer_name: string }>(tx)`
    select mappings.id, employer.id as employer_id, employer.internal_name as employer_name from mappings
    join employers employer on employer.id = mappings.employer_id
    where mappings.kind = ${file.kind} and mappings.file_key = ${file.file_key} and employer.organization_id = ${file.organization_id}
      and (${file.employer_id}::bigint is null or employer.id = ${file.employer_id}) order by mappings.id`
}

/** The mapping that reads the file was changed or replaced after the file arrived. */
const mappingChanged = sql`exists (select from mappings where mappings.kind = imports.kind and mappings.file_key = imports.file_key
  and mappings.employer_id = imports.employer_id and mappings.updated_at > imports.received_at)`
/** Whether another deduction of the employer was delivered after the file arrived, and waits for confirmation. */
const anotherWaits = sql`exists (select from deductions d
  join invoices i on i.id = d.invoice_id and i.organization_id = d.organization_id
  where i.employer_id = imports.employer_id and d.status = 'WAITING_CONFIRMATION' and d.delivered_at > imports.received_at)`

/** Whether a part of the file, for another employer, failed or was rejected. */
const partFailed = sql`exists (select from imports part where part.part_of = imports.id and part.status in ('FAIL', 'REJECTED'))`

/**
 * The last file of this name that was or may still be imported, if it has the same bytes; null if there is none. The same file is
 * accepted again if lines were rejected or did not count, if its mapping was changed, and, for confirmations, if another
 * deduction waits for some. A concurrent call waits.
 */
export async function sameFileBefore(
  tx: Tx,
  file: Pick<ImportTable, 'organization_id' | 'employer_id' | 'kind' | 'file_key' | 'hash'>,
): Promise<{ id: number; received_at: Date } | null> {
  await sql`select pg_advisory_xact_lock(hashtext(${`import ${file.organization_id} ${file.kind} ${file.file_key}`}))`.execute(tx)
  const { rows } = await sql<{ id: number; received_at: Date; hash: string; again: boolean }>`
    select id, received_at, hash, status = 'SUCCESS' and (rejected > 0 or uncounted > 0 or ${partFailed}
        or ${mappingChanged} or kind = 'CONFIRMATION' and ${anotherWaits}) as again from imports
    where organization_id = ${file.organization_id} and employer_id is not distinct from ${file.employer_id}::bigint
      and kind = ${file.kind} and file_key = ${file.file_key} and status in ('PENDING', 'PAUSED', 'SUCCESS')
    order by id desc limit 1`.execute(tx)
  const [last] = rows
  return last?.hash === file.hash && !last.again ? last : null
}

type NewImport = Pick<
  ImportTable,
  | 'organization_id'
  | 'employer_id'
  | 'kind'
  | 'source'
  | 'file_name'
  | 'file_key'
  | 'size'
  | 'hash'
  | 'status'
  | 'message'
  | 'received_by'
  | 'received_by_name'
> &
  Partial<Pick<ImportTable, 'answer_to' | 'mends' | 'part_of'>> & { for_all_employers?: boolean; asked?: ImportRow['asked'] }

/** Stores that a file arrived; returns its id. */
export async function insertImport(tx: Tx, values: NewImport, now: Date): Promise<number> {
  return insertRow(tx, 'imports', {
    answer_to: null,
    mends: null,
    part_of: null,
    undone_at: null,
    ...values,
    asked: sql`${JSON.stringify(values.asked ?? { questions: [], answers: {} })}::jsonb` as never,
    header: null,
    read_as: null,
    incremental: null,
    held_for: null,
    received_at: now,
    finished_at: values.status === 'PENDING' ? null : now,
    decided_at: null,
    decided_by: null,
    decided_by_name: null,
    absent_allowed: null,
  })
}

/** Changes a locked import. */
export async function saveImport(
  tx: Tx,
  id: number,
  values: Partial<Omit<Selectable<ImportTable>, 'id' | 'version' | 'received_at'>>,
): Promise<void> {
  await tx
    .updateTable('imports')
    .set((set) => ({ ...values, version: set('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Streams the bytes of a file, piece by piece. */
export async function* partsOf(tx: Tx, importId: number): AsyncGenerator<Uint8Array> {
  for (let part = 0; ; part += 1) {
    const found = await tx
      .selectFrom('import_parts')
      .select('content')
      .where('import_id', '=', importId)
      .where('part', '=', part)
      .executeTakeFirst()
    if (!found) return
    yield found.content
  }
}

/** The last whole-staff files of an employer imported under this name without a decision, oldest first. */
export async function lastStaffFiles(
  tx: Tx,
  { employer_id, file_key, limit }: { employer_id: number; file_key: string; limit: number },
): Promise<StaffFile[]> {
  const { rows } = await sql<StaffFile>`select accepted, absent from imports
    where employer_id = ${employer_id} and file_key = ${file_key} and kind = 'EMPLOYEE' and status = 'SUCCESS' and not incremental
      and absent_allowed is null order by id desc limit ${limit}`.execute(tx)
  return rows.toReversed()
}

/** The integration settings for files of a kind: those of the employer, else of its organization. */
export async function termsOfFiles(
  tx: Tx,
  { organization_id, employer_id, kind }: { organization_id: number; employer_id: number; kind: ImportKind },
): Promise<{ incremental: boolean; terminated_values: string[] }> {
  const type = kind === 'EMPLOYEE' ? 'ELIGIBLE_EMPLOYEE' : 'TIMEKEEPING'
  const { rows } = await sql<{ incremental: boolean; terminated_values: string[] }>`
    select incremental, terminated_values from integrations
    where organization_id = ${organization_id} and import_type = ${type} and (employer_id is null or employer_id = ${employer_id})
    order by employer_id nulls last limit 1`.execute(tx)
  return rows[0] ?? { incremental: false, terminated_values: [] }
}

/** The number of people missing from a file; for one that waits for a decision, the current number. */
export const absentFrom = ({ leaves, absent }: ImportRow): number => leaves?.absent ?? absent

/** An import as returned by the API to a person; messages about confirmations mention invoices. */
export const toImport = (row: ImportRow, actor: Pick<Actor, 'held'>): Import =>
  answerOf(Import, {
    ...row,
    phase: row.status === 'PENDING' ? (row.phase ?? 'WAITING') : null,
    message:
      row.kind === 'CONFIRMATION' && row.status === 'SUCCESS' && !hasPermission(actor, 'read:billing')
        ? null
        : row.leaves
          ? leavesOut(row.leaves.absent, row.leaves.staff, waitsWithChangedCodes(row.message))
          : row.message,
    absent: absentFrom(row),
    received_by: row.received_by_name,
    decided_by: row.decided_by_name,
  })
