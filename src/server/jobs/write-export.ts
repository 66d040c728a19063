import { type Kysely, sql } from 'kysely'
import { may, noPermission } from '#domain/permissions.ts'
import { actorOf } from '#server/auth/session.ts'
import { csvHead, csvRows } from '#server/documents/csv.ts'
import { exportKindOf } from '#server/jobs/export-kind-of.ts'
import { isCutOff, isDiskFull } from '#server/postgres/away.ts'
import { keyOf, unlessUnderWay } from '#server/postgres/guard.ts'
import { positionOf } from '#server/postgres/replicas.ts'
import { inSnapshot, onOneConnection } from '#server/postgres/transaction.ts'
import { Refused } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Services } from '#server/http/route.ts'
import type { Database, Tx } from '#server/tables/database.ts'
import type { Debtor, ExportRow } from '#server/tables/exports.ts'

type Reading = Pick<Services, 'db' | 'replicas'>

/**
 * Writes an export from its beginning, unless it is finished or another process writes it. An interrupted export is written again
 * from the start, so that the file shows one moment: all of it is read in one snapshot, on a standby that has everything up to
 * now, else on the primary. It is read as the person who asked for it, with their current rights. Rows are stored through the
 * connection that holds the lock: a process that lost the lock can store nothing more.
 */
export async function writeExport(services: Reading, id: string, leaving: () => boolean): Promise<void> {
  await unlessUnderWay(services.db, keyOf(id, 1), async (guard) => {
    try {
      const row = await guard.selectFrom('exports').selectAll().where('id', '=', id).executeTakeFirst()
      if (row?.state === 'waiting' || row?.state === 'running') await write(services, guard, row, leaving)
    } catch (error) {
      // If the database is unavailable or full, the file is written later.
      if (isCutOff(error) || isDiskFull(error)) throw error
      const known = error instanceof Refused
      await end(guard, id, 'failed', known ? error.detail : 'Something went wrong. Try again later.')
      if (!known) throw error
    }
  })
}

async function write({ db, replicas }: Reading, guard: Kysely<Database>, row: ExportRow, leaving: () => boolean): Promise<void> {
  const [actor, position] = await onOneConnection(db, (tx) =>
    Promise.all([actorOf(tx, row.person_id, row.session_id), positionOf(tx)]),
  )
  if (!actor) throw new Refused(401, 'session-expired', 'Your session has expired. Please login again.')
  const kind = exportKindOf(row.kind)
  if (may(actor.held, kind.needs as never) !== 'yes') throw new Refused(403, 'permission-denied', noPermission)
  const writeOn = (tx: Tx) => inSnapshot(tx, () => writeParts(tx, guard, row, actor, leaving))
  const read = await replicas?.read(position, writeOn)
  const debtors = read ? read.answer : await onOneConnection(db, writeOn)
  const held = kind.masks ? [...actor.held] : null
  if (debtors) await end(guard, row.id, 'done', null, debtors, held)
}

/** Returns the owners of the written rows; null if it was interrupted. */
async function writeParts(
  tx: Tx,
  guard: Kysely<Database>,
  row: ExportRow,
  actor: Actor,
  leaving: () => boolean,
): Promise<readonly Debtor[] | null> {
  const kind = exportKindOf(row.kind)
  const query = kind.parse(row.filter as Record<string, unknown>)
  await guard.deleteFrom('export_parts').where('export_id', '=', row.id).execute()
  await guard.updateTable('exports').set({ state: 'running', done: 0, total: null }).where('id', '=', row.id).execute()
  const total = await kind.count(tx, actor, query)
  await storePart(guard, row.id, 0, csvHead(kind.columns), { total, more: 0 })
  const debtors = new Map<string, Debtor>()
  let part = 1
  for await (const rows of kind.pages(tx, actor, query)) {
    if (leaving()) return null
    for (const debtor of rows.flatMap((each) => kind.whose(each) ?? []))
      debtors.set(`${debtor.debtor_type} ${debtor.debtor_id}`, debtor)
    await storePart(guard, row.id, part, csvRows(kind.columns, rows), { total, more: rows.length })
    part += 1
  }
  return [...debtors.values()]
}

/** Stores a piece and the progress together, outside of the snapshot, so that others see the progress. */
async function storePart(
  guard: Kysely<Database>,
  id: string,
  part: number,
  content: string,
  { total, more }: { total: number | null; more: number },
): Promise<void> {
  await sql`with kept as (insert into export_parts (export_id, part, content) values (${id}, ${part}, ${content}))
    update exports set done = done + ${more}, total = ${total} where id = ${id}`.execute(guard)
}

const end = async (
  guard: Kysely<Database>,
  id: string,
  state: 'done' | 'failed',
  message: string | null,
  debtors: readonly Debtor[] | null = null,
  held: readonly number[] | null = null,
): Promise<void> => {
  await sql`update exports set state = ${state}, message = ${message}, finished_at = now(),
    debtors = ${debtors && JSON.stringify(debtors)}::jsonb, held = ${held}::integer[],
    total = case when ${state} = 'done' then done else total end where id = ${id}`.execute(guard)
}
