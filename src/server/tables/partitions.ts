import { sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'

/** The tables that are partitioned by month of business time. */
const parents = ['transactions', 'time_entries'] as const
/** Number of months with partitions ahead of today: real time and business time may differ. */
const monthsAhead = 3
/** Number of past months with partitions: transactions of a finished period may arrive later. */
const monthsBack = 2

/** Missing partitions, as `transactions 2026-01-01`, oldest first. */
export async function monthsWithoutPartition(tx: Tx, { today, now }: { today: string; now: Date }): Promise<string[]> {
  const ahead = sql`${`${monthsAhead} months`}::interval`
  const { rows } = await sql<{ key: string }>`
    select parent || ' ' || month as key from (
      select parent, generate_series(
        date_trunc('month', least(${today}::timestamp, ${now}::timestamptz at time zone 'UTC') - ${`${monthsBack} months`}::interval),
        greatest(${today}::timestamp, ${now}::timestamptz at time zone 'UTC') + ${ahead}, '1 month')::date as month
      from unnest(${[...parents]}::text[]) parent
      union all
      -- An event has the time of the database, and what was before the first of these months has a partition of its own.
      select parent, generate_series(min(month), now() at time zone 'UTC' + ${ahead}, '1 month')::date
      from monthly_partitions where parent = 'audit_events' group by parent
    ) months
    where not exists (select from monthly_partitions there where there.parent = months.parent and there.month = months.month)
    order by month, parent`.execute(tx)
  return rows.map(({ key }) => key)
}

/** Creates a partition, unless it exists. */
export async function makePartition(tx: Tx, key: string): Promise<void> {
  const [parent, month] = key.split(' ')
  await sql`insert into monthly_partitions (parent, month) values (${parent}, ${month}) on conflict do nothing`.execute(tx)
}
