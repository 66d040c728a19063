import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { unlessUnderWay } from '#server/postgres/guard.ts'
import type { Database } from '#server/tables/database.ts'
import { putSetting, settingOf } from '#server/tables/setting.ts'

const setting = 'later-indexes'
const lock = 4_184_007

/** Stores the statements of indexes that are built after the server has started. */
export const leaveIndexes = (db: Kysely<Database>, statements: readonly string[]): Promise<void> =>
  putSetting(db, setting, JSON.stringify(statements))

/** The statements of indexes that are still to be built. */
export const indexesLeft = async (db: Kysely<Database>): Promise<string[]> =>
  JSON.parse((await settingOf(db, setting)) ?? '[]') as string[]

/**
 * Builds the remaining indexes, as the role that owns the tables, without blocking reads or writes. Resolves when none is left,
 * whether this or another process built them, or when `stop` is aborted; an interrupted build continues where it was.
 */
export async function makeLaterIndexes(owner: Kysely<Database>, stop?: AbortSignal): Promise<void> {
  const isDone = async () => stop?.aborted || (await indexesLeft(owner)).length === 0
  while (!(await isDone())) if (!(await unlessUnderWay(owner, lock, (one) => makeAll(one, stop)))) await sleep(500)
}

async function makeAll(one: Kysely<Database>, stop: AbortSignal | undefined): Promise<void> {
  for (let remaining = await indexesLeft(one); remaining[0] && !stop?.aborted; remaining = remaining.slice(1)) {
    await makeIndex(one, remaining[0])
    await leaveIndexes(one, remaining.slice(1))
  }
}

/** `statement` is the definition of an index by PostgreSQL. An interrupted build leaves an invalid index. */
async function makeIndex(one: Kysely<Database>, statement: string): Promise<void> {
  const [, name = ''] = /^CREATE INDEX (\w+) ON /.exec(statement) ?? []
  const { rows } = await sql<{
    valid: boolean
  }>`select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`.execute(one)
  if (rows[0]?.valid) return
  if (rows[0]) await sql`drop index concurrently ${sql.ref(name)}`.execute(one)
  await sql.raw(statement.replace('CREATE INDEX ', 'CREATE INDEX CONCURRENTLY ')).execute(one)
}
