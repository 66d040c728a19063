import { Client } from 'pg'
import { pastSetting } from '#server/money/billing/demo-days.ts'
import { openCluster } from '#server/postgres/cluster.ts'

/** Working days of each person. */
export const daysEach = 10
/** Days between them, so that they are in ten months. */
const apart = 30

/** Leaves out the past of the demo company, which no server may be making; its time entries are created by `fillTime`. */
export async function leaveOutPast(folder: string): Promise<void> {
  await inOwnCluster(folder, (client) => client.query(`update settings set value = 'null' where name = '${pastSetting}'`))
}

/**
 * Replaces all time entries by ten of every employee. They are created in SQL, in one transaction that empties the table first, so
 * that the embedded PostgreSQL does not log them, and indexed afterwards. Returns their number.
 */
export async function fillTime(folder: string): Promise<number> {
  let entries = 0
  await inOwnCluster(folder, async (client) => {
    const { rows } = await client.query<{ count: string }>('select count(*) from time_entries')
    const { rows: people } = await client.query<{ count: string }>('select count(*) from employees')
    entries = Number(people[0]?.count) * daysEach
    if (Number(rows[0]?.count) === entries) return
    await client.query(`insert into monthly_partitions (parent, month)
      select 'time_entries', generate_series(date_trunc('month', current_date - ${daysEach * apart}), current_date, '1 month')::date
      on conflict do nothing`)
    await client.query(`set maintenance_work_mem = '1GB'`)
    // All referenced rows exist; checking each foreign key would take most of the time.
    await client.query('set session_replication_role = replica')
    await client.query('begin')
    await client.query('truncate time_entries')
    const { rows: keys } = await client.query<{ name: string; definition: string }>(`
      select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = 'time_entries'::regclass and contype in ('p', 'u')`)
    for (const { name } of keys) await client.query(`alter table time_entries drop constraint ${name} cascade`)
    const { rows: indexes } = await client.query<{ name: string; again: string }>(`
      select relname as name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as again
      from pg_index join pg_class on pg_class.oid = indexrelid where indrelid = 'time_entries'::regclass`)
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    for (let day = 1; day <= daysEach; day += 1)
      await client.query(`insert into time_entries (organization_id, employee_id, employer_id, work_date, minutes, earned_amount, status)
        select organization_id, id, employer_id, current_date - ${day * apart}, 360 + id % 180, 12000, 'AUTO' from employees`)
    for (const { name, definition } of keys) await client.query(`alter table time_entries add constraint ${name} ${definition}`)
    for (const { again } of indexes) await client.query(again)
    await client.query('commit')
    await client.query('vacuum (analyze) time_entries')
  })
  return entries
}

async function inOwnCluster(folder: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: (await openCluster(folder)).url('admin_portal') })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
