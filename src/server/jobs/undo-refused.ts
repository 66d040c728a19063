import { sql } from 'kysely'
import type { AnyIntent } from '#contract/define.ts'
import type { Run } from '#contract/runs.ts'
import { countReasons } from '#domain/reasons.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Runnable } from '#server/jobs/runnable.ts'
import { forValidation, targetsById, whyNoUndo } from '#server/jobs/targets.ts'
import type { Tx } from '#server/tables/database.ts'

/**
 * The number of executed rows of a run whose undo would be refused, with the reasons: by the previous state from the audit, else
 * by the current one.
 */
export async function undoRefused(
  tx: Tx,
  actor: Actor,
  { intent, noun }: { intent: AnyIntent; noun: Runnable },
  runId: string,
): Promise<NonNullable<Run['undo_refused']>> {
  // The index covers only the keys of runs.
  const { rows } = await sql<{ target_id: number; before: object | null }>`
    select done.target_id, event.before from run_rows done join audit_events event
      on event.idempotency_key = 'run:' || done.run_id || ':' || done.row_number || ':' || done.attempt
        and event.idempotency_key like 'run:%'
    where done.run_id = ${runId} and done.state = 'done'
      and event.intent = ${intent.id} and event.entity_id = done.target_id::text`.execute(tx)
  const before = new Map(rows.map((row) => [row.target_id, row.before]))
  const targets = await forValidation(tx, intent, await targetsById(tx, actor, noun, [...before.keys()]))
  return countReasons(
    targets.flatMap(({ subject, ...target }) =>
      subject === null ? [] : (whyNoUndo(intent, { ...target, subject: { ...subject, ...before.get(target.id) } }) ?? []),
    ),
  )
}
