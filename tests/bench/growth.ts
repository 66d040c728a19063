import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { moveInvoices, type Summary } from '#server/money/billing/clock.ts'
import { figuresOf, type Measure, timed } from '#tests/bench/figures.ts'
import { databaseIn } from '#tests/support/process.ts'
import { signInAs } from '#tests/support/sign-in.ts'

const times = 60
const warmUp = 20
/** Milliseconds between two looks at the transactions under way. */
const watchEvery = 50

/** What staff wait for in a company of this size: searches, counts and filters over HTTP. */
export async function benchSearches(origin: string, folder: string): Promise<Measure[]> {
  const db = await databaseIn(folder)
  try {
    const headers = await signInAs({ origin, db }, 'priya.raman@example.com')
    let cancelled = 0
    const get = async (path: string): Promise<void> => {
      const reply = await fetch(`${origin}/api${path}`, { headers })
      // A statement that takes longer than four seconds is cancelled.
      if (reply.status === 503) cancelled += 1
      else if (!reply.ok) throw new Error(`GET ${path} answered ${reply.status}: ${await reply.text()}`)
      await reply.arrayBuffer()
    }
    const { rows: some } = await sql<{ id: string; name: string; phone: string | null }>`
      select id, first_name || ' ' || last_name as name, phone_number as phone from employees
      where id % 1009 = 7 order by id limit ${times}`.execute(db)
    const one = (at: number) => some[at % some.length] ?? { id: '', name: '', phone: null }
    const kinds = 'employees,users,invoices,employers,organizations'
    const asked: Readonly<Record<string, (at: number) => string>> = {
      'a person by id': (at) => `/search?limit=5&ids=employees:${one(at).id}`,
      'a person by first and last name': (at) => `/search?limit=5&kinds=${kinds}&q=${encodeURIComponent(one(at).name)}`,
      'a person by four digits of a phone number': (at) =>
        `/search?limit=5&kinds=employees,users&q=${one(at).phone?.slice(-4) ?? '0101'}`,
      'paused people of one employer': (at) => `/employees?limit=33&status=PAUSED&employer-id=${100_001 + (at % 300)}`,
      'the number of paused people': () => '/employees/count?status=PAUSED',
      'the number of all people': () => '/employees/count',
    }
    const measures: Measure[] = []
    for (const [what, path] of Object.entries(asked)) {
      await timed(warmUp, (at) => get(path(at)))
      cancelled = 0
      const figures = figuresOf(await timed(times, (at) => get(path(at))))
      measures.push({ what: `${what}, p50`, value: figures.p50, unit: 'ms', budget: null, detail: figures })
      if (cancelled > 0) measures.push({ what: `${what}, cancelled of ${times}`, value: cancelled, unit: 'rows', budget: 0 })
    }
    return measures
  } finally {
    await db.destroy()
  }
}

/**
 * The night's round of billing by one process, after a day has passed, and the longest of its transactions. A round of millions may
 * take hours: after that many minutes it is left between two transactions, and the number of its reports says how far it was.
 */
export async function benchNight(folder: string, employees: number, minutes: number): Promise<Measure[]> {
  const db = await databaseIn(folder)
  const watching = await databaseIn(folder)
  try {
    await sql`update settings set value = (value::int + 1)::text where name = 'demo-offset-days'`.execute(db)
    let isOver = false
    const watch = async (): Promise<number> => {
      let longest = 0
      for (; !isOver; await sleep(watchEvery)) {
        const { rows } = await sql<{ age: number | null }>`
          select max(extract(epoch from clock_timestamp() - xact_start))::float8 * 1000 as age from pg_stat_activity
          where datname = current_database() and backend_xid is not null and backend_type = 'client backend'`.execute(watching)
        longest = Math.max(longest, rows[0]?.age ?? 0)
      }
      return longest
    }
    const watched = watch()
    let done: Summary | undefined
    const until = performance.now() + minutes * 60_000
    let isLeft = false
    const leaving = () => (isLeft ||= performance.now() > until)
    const [night = Number.NaN] = await timed(1, async () => {
      done = await moveInvoices({ db }, { leaving })
    })
    isOver = true
    const of = `${employees.toLocaleString('en-US')} employees${isLeft ? `, left after ${minutes} minutes` : ''}`
    return [
      { what: `the night's round of billing, ${of}`, value: night, unit: 'ms', budget: null, detail: done },
      { what: 'invoices reported in it', value: done?.reported ?? 0, unit: 'rows', budget: null },
      { what: 'longest transaction that writes meanwhile', value: await watched, unit: 'ms', budget: null },
    ]
  } finally {
    await Promise.all([db.destroy(), watching.destroy()])
  }
}
