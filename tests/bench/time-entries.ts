import { Client } from 'pg'
import { openCluster } from '#server/postgres/cluster.ts'
import { figuresOf, type Measure, timed } from '#tests/bench/figures.ts'
import { databaseIn } from '#tests/support/process.ts'
import { signInAs } from '#tests/support/sign-in.ts'

const few = 1_000_000
/** Working days of a person with few entries and with many. */
const days = { few: 125, many: 500 }
const pages = 400
const pageSize = 50

/** Employees whose employers send no hours, so that all their entries are created here. */
const someone = (count: number) =>
  `(select id, organization_id, employer_id from employees where employer_id % 5 >= 2 order by id limit ${count})`

/**
 * The page of one person's time entries among a million entries and among `many`, with more people and months. PostgreSQL
 * generates the rows; the person is the same in both measurements.
 */
export async function benchTimeEntries(origin: string, folder: string, employees: number, many: number): Promise<Measure[]> {
  const db = await databaseIn(folder)
  const headers = await signInAs({ origin, db }, 'priya.raman@example.com')
  await db.destroy()
  const client = new Client({ connectionString: (await openCluster(folder)).url('admin_portal') })
  await client.connect()
  try {
    const asked = few / days.few
    const people = Math.round(many / days.many)
    const { rows: ids } = await client.query<{ id: string }>(`select id from ${someone(Math.max(asked, people))} people`)
    if (ids.length < Math.max(asked, people))
      throw new Error(`Of ${employees} employees ${ids.length} can be used; ${Math.max(asked, people)} are needed: ask for more.`)
    await client.query(`insert into monthly_partitions (parent, month)
      select 'time_entries', generate_series(date_trunc('month', current_date - ${days.many}), current_date, '1 month')::date
      on conflict do nothing`)
    // All referenced rows exist; checking each foreign key would take most of the time.
    await client.query('set session_replication_role = replica')
    const add = async (from: number, to: number, who: string) => {
      for (let day = from; day <= to; day += 25)
        await client.query(`insert into time_entries (organization_id, employee_id, employer_id, work_date, minutes, earned_amount, status)
          select organization_id, id, employer_id, current_date - day, 480, 12000, 'AUTO' from ${who} people
          cross join generate_series(${day}, ${Math.min(to, day + 24)}) as day order by day, id`)
      await client.query('vacuum (analyze) time_entries')
    }
    const count = async () =>
      Number((await client.query<{ count: string }>('select count(*) as count from time_entries')).rows[0]?.count)
    const page = async (at: number): Promise<void> => {
      const id = ids[(at * 7919) % asked]?.id
      const reply = await fetch(`${origin}/api/timekeeping?employee-id=${id}&limit=${pageSize}`, { headers })
      const { time_entries: entries } = (await reply.json()) as { time_entries?: unknown[] }
      if (entries?.length !== pageSize) throw new Error(`A page of employee ${id} has ${entries?.length} entries.`)
    }
    const measured = async () => {
      await timed(pages, page)
      return figuresOf(await timed(pages, page))
    }
    await add(1, days.few, someone(asked))
    const [before, small] = [await count(), await measured()]
    await add(days.few + 1, days.many, someone(Math.min(asked, people)))
    if (people > asked) await add(1, days.many, `(select * from ${someone(people)} all_of_them offset ${asked})`)
    const [after, large] = [await count(), await measured()]
    const label = (entries: number) => `${entries.toLocaleString('en-US')} time entries`
    return [
      { what: `a person's page among ${label(before)}, p50`, value: small.p50, unit: 'ms', budget: null, detail: small },
      { what: `a person's page among ${label(after)}, p50`, value: large.p50, unit: 'ms', budget: null, detail: large },
      { what: 'the latter / the former, p50', value: large.p50 / small.p50, unit: 'times', budget: 2 },
      { what: 'the latter / the former, p95', value: large.p95 / small.p95, unit: 'times', budget: null },
    ]
  } finally {
    await client.end()
  }
}
