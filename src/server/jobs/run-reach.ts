import type { AnyIntent } from '#contract/define.ts'
import type { Run } from '#contract/runs.ts'
import { may } from '#domain/permissions.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Runnable } from '#server/jobs/runnable.ts'
import type { Tx } from '#server/tables/database.ts'
import { type RunRow, executedIds } from '#server/tables/runs.ts'

/** The intent of a run and its records. */
export interface RunIntent {
  intent: AnyIntent
  noun: Runnable
}

interface RunContext {
  tx: Tx
  actor: Actor
}

/** Rows checked in one query. */
const batchSize = 500

/** Whether the person can no longer undo or retry anything of a run: the permission, or the access to every row, is gone. */
export async function isOutOfReach({ tx, actor }: RunContext, run: RunRow, { intent, noun }: RunIntent): Promise<boolean> {
  if (may(actor.held, intent.needs as never) === 'no') return true
  const ids = await executedIds(tx, run.id)
  for (let from = 0; from < ids.length; from += batchSize)
    if ((await noun.byId(tx, actor, ids.slice(from, from + batchSize))).length > 0) return false
  return ids.length > 0
}

/** A run as returned by the API, with whether it is out of reach: then there is no undo. */
export async function withReach(context: RunContext, run: RunRow, meaning: RunIntent, known: Run): Promise<Run> {
  if (known.state === 'running' || !(await isOutOfReach(context, run, meaning))) return known
  return { ...known, undo_until: null, out_of_reach: true }
}
