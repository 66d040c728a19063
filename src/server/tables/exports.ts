import { type Generated, type Kysely, type Selectable, sql } from 'kysely'
import { debtorOpenTo } from '#server/access/scope.ts'
import { Export, type exportKinds } from '#contract/exports.ts'
import type { Actor } from '#server/access/actor.ts'
import { accountManagerOpenTo } from '#server/tables/staff.ts'
import type { Tx, Database } from '#server/tables/database.ts'
import { answerOf } from '#server/tables/answer-of.ts'

export type ExportName = (typeof exportKinds)[number]

/** The table `exports`. */
export interface ExportTable {
  id: Generated<string>
  person_id: string
  session_id: string
  kind: ExportName
  filter: unknown
  file_name: string
  state: Generated<Export['state']>
  total: number | null
  done: Generated<number>
  message: string | null
  /** The distinct owners of the rows in the file; null until it is written. */
  debtors: Debtor[] | null
  /** The permissions of the person when it was written, if its rows depend on them. */
  held: number[] | null
  created_at: Generated<Date>
  finished_at: Date | null
}

/** The owner of a row, which decides access: a company, or an account manager. */
export type Debtor =
  | { debtor_type: 'EMPLOYER' | 'ORGANIZATION'; debtor_id: number }
  | { debtor_type: 'ACCOUNT_MANAGER'; debtor_id: string }

/** The table `export_parts`: the pieces of a file, in order. */
export interface ExportPartTable {
  export_id: string
  part: number
  content: string
}

declare module '#server/tables/database.ts' {
  interface Database {
    exports: ExportTable
    export_parts: ExportPartTable
  }
}

export type ExportRow = Selectable<ExportTable>

/** Maximum number of exports kept per person, and of those that are not finished. */
export const maxKept = 20

/** Number of the person's exports that wait or are being written; nobody adds one before the commit. */
export async function unfinishedExports(tx: Tx, personId: string): Promise<number> {
  await sql`select id from people where id = ${personId} for no key update`.execute(tx)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from exports
    where person_id = ${personId} and state in ('waiting', 'running')`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Queues a new export, and deletes the person's oldest finished ones. */
export async function addExport(
  tx: Tx,
  made: { personId: string; sessionId: string; kind: ExportName; filter: Record<string, string>; fileName: string },
): Promise<ExportRow> {
  const row = await tx
    .insertInto('exports')
    .values({
      person_id: made.personId,
      session_id: made.sessionId,
      kind: made.kind,
      filter: JSON.stringify(made.filter),
      file_name: made.fileName,
      total: null,
      message: null,
      debtors: null,
      held: null,
      finished_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await sql`delete from exports where id in (
    select id from exports where person_id = ${made.personId} and state in ('done', 'failed') order by created_at, id
    limit greatest(0, (select count(*) from exports where person_id = ${made.personId}) - ${maxKept}::bigint))`.execute(tx)
  return row
}

/** An export of this person; null if it does not exist or belongs to somebody else. */
export async function exportOf(tx: Tx, personId: string, id: string): Promise<ExportRow | null> {
  const query = tx.selectFrom('exports').selectAll().where('id', '=', id).where('person_id', '=', personId)
  return (await query.executeTakeFirst()) ?? null
}

/** The person's exports, newest first. */
export const exportsOf = (tx: Tx, personId: string): Promise<ExportRow[]> =>
  tx.selectFrom('exports').selectAll().where('person_id', '=', personId).orderBy('created_at', 'desc').limit(maxKept).execute()

/** Whether every row of a finished file is still open to the person. */
export async function isOpenExport(tx: Tx, actor: Actor, { debtors, held }: ExportRow): Promise<boolean> {
  if (held?.some((id) => !actor.held.has(id))) return false
  if (actor.kind === 'ADMIN') return true
  if (debtors === null) return false
  const isManager = ({ debtor_type }: Debtor) => debtor_type === 'ACCOUNT_MANAGER'
  const companies = debtors.filter((debtor) => !isManager(debtor))
  const managers = debtors.filter(isManager).map(({ debtor_id }) => String(debtor_id))
  const { rows } = await sql`
    select from jsonb_to_recordset(${JSON.stringify(companies)}::jsonb) as d(debtor_type text, debtor_id bigint)
    where not coalesce(${debtorOpenTo(actor, 'd')}, false)
    union all select from unnest(${managers}::uuid[]) as manager
    where not exists (select from people e where e.id = manager and ${accountManagerOpenTo(actor)}) limit 1`.execute(tx)
  return rows.length === 0
}

/** Streams the content of an export, one piece in memory at a time. */
export async function* contentOf(db: Kysely<Database>, id: string): AsyncGenerator<string> {
  for (let part = 0; ; part += 1) {
    const found = await db
      .selectFrom('export_parts')
      .select('content')
      .where('export_id', '=', id)
      .where('part', '=', part)
      .executeTakeFirst()
    if (!found) return
    yield found.content
  }
}

/** An export as returned by the API. */
export const toExport = (row: ExportRow): Export => answerOf(Export, row)
