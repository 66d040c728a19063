import type { Client } from 'pg'

/** Lock held while the demo company is created; other processes wait for it. */
export const seedLock = 4_184_002

/** Value of the setting `seed` while the demo company of an embedded PostgreSQL is being created, step by step. */
export const inProgress = 'making'

/** Thrown when the process that was creating the demo company is gone: the database is then created again. */
export class HalfMade extends Error {
  override name = 'HalfMade'
}

/** Whether a database holds part of a demo company that no process is creating any more. */
export async function isHalfMade(client: Client): Promise<boolean> {
  const { rows: tables } = await client.query<{ there: boolean }>(`select to_regclass('public.settings') is not null as there`)
  if (!tables[0]?.there) return false
  const { rows } = await client.query<{ left: boolean }>(
    `select value = $1 and pg_try_advisory_lock($2) as left from settings where name = 'seed'`,
    [inProgress, seedLock],
  )
  return rows[0]?.left ?? false
}
