import type { Call } from '#contract/define.ts'
import type { Kysely } from 'kysely'
import type { RouteTable } from '#server/http/route.ts'
import type { Database } from '#server/tables/database.ts'
import { type RunRow, rowKey } from '#server/tables/runs.ts'

/**
 * The call that undoes one row of a run, built from its audit event; it carries the version that the run left, so that a row
 * changed since is refused. A message if there is nothing to undo.
 */
export async function undoOfRow(
  db: Kysely<Database>,
  routes: RouteTable,
  run: RunRow,
  undoes: string,
  row: { row_number: number; target_id: number },
): Promise<Call | string> {
  const done = await db
    .selectFrom('run_rows')
    .select(['row_number', 'attempt'])
    .where('run_id', '=', undoes)
    .where('row_number', '=', row.row_number)
    .executeTakeFirstOrThrow()
  const event = await db
    .selectFrom('audit_events')
    .select(['before', 'version'])
    .where('idempotency_key', '=', rowKey(undoes, done))
    // The index covers only the keys of runs.
    .where('idempotency_key', 'like', 'run:%')
    .where('intent', '=', run.intent)
    .where('entity_id', '=', String(row.target_id))
    .where('actor_id', '=', run.person_id)
    .executeTakeFirst()
  if (!event) return 'Nothing was changed here, so that there is nothing to undo.'
  const intent = routes.byIntent.get(run.intent)?.intent
  const undo = intent?.undo?.({ id: String(row.target_id), version: event.version }, event.before)
  return undo ?? intent?.noUndo ?? 'This row cannot be undone.'
}
