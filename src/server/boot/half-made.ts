import type { Client } from 'pg'

/** Held by whoever makes the demo company; whoever comes to it meanwhile waits. */
export const seedLock = 4_184_002

/** What the setting `seed` says while the demo company of an embedded PostgreSQL is being made, step by step. */
export const making = 'making'

/** Thrown by who finds that whoever was making the demo company is gone: the database is made anew. */
export class HalfMade extends Error {
  override name = 'HalfMade'
}

/** Whether a database holds part of a demo company that nobody is making any more. */
export async function isHalfMade(client: Client): Promise<boolean> {
  const { rows: tables } = await client.query<{ there: boolean }>(`select to_regclass('public.settings') is not null as there`)
  if (!tables[0]?.there) return false
  const { rows } = await client.query<{ left: boolean }>(
    `select value = $1 and pg_try_advisory_lock($2) as left from settings where name = 'seed'`,
    [making, seedLock],
  )
  return rows[0]?.left ?? false
}
