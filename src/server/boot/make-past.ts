import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { unlessUnderWay } from '#server/postgres/guard.ts'
import { hasPastLeft } from '#server/money/billing/demo-days.ts'
import { makeNextPast } from '#server/seed/past-periods.ts'
import type { Database } from '#server/tables/database.ts'

const lock = 4_184_008

/**
 * Creates the missing past of the demo company, as the role that owns the tables. Resolves when it is complete, whether this or
 * another process did it, or when `stop` is aborted.
 */
export async function makePast(owner: Kysely<Database>, stop?: AbortSignal): Promise<void> {
  const isDone = async () => stop?.aborted || !(await hasPastLeft(owner))
  const makeAll = async (one: Kysely<Database>): Promise<void> => {
    while (!stop?.aborted && (await makeNextPast(one)));
  }
  while (!(await isDone())) if (!(await unlessUnderWay(owner, lock, makeAll))) await sleep(500)
}
