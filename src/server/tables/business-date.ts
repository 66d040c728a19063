import { sql } from 'kysely'
import { prepared } from '#server/postgres/prepared.ts'
import { businessZone } from '#server/tables/conditions.ts'
import type { Tx } from '#server/tables/database.ts'

/** The business time zone, `America/New_York`. */
export async function businessZoneOf(tx: Tx): Promise<string> {
  const { rows } = await sql<{ zone: string }>`${prepared} select ${businessZone} as zone`.execute(tx)
  return rows[0]?.zone as string
}

/** Today in the business time zone, `yyyy-MM-dd`; the demo's clock can shift it without changing real time. */
export async function businessDate(tx: Tx): Promise<string> {
  const { rows } = await sql<{ today: string }>`${prepared} select business_date()::text as today`.execute(tx)
  return rows[0]?.today as string
}
