import { sql } from 'kysely'
import { moveInvoices } from '#server/money/billing/clock.ts'
import { figuresOf, type Measure, timed } from '#tests/bench/figures.ts'
import { databaseIn } from '#tests/support/process.ts'
import { signInAs } from '#tests/support/sign-in.ts'

const times = 60
const warmUp = 20

/** What staff wait for in a company of this size: searches, counts and filters over HTTP; and the night's round of billing. */
export async function benchGrowth(origin: string, folder: string, employees: number): Promise<Measure[]> {
  const db = await databaseIn(folder)
  try {
    const headers = await signInAs({ origin, db }, 'priya.raman@example.com')
    const get = async (path: string): Promise<void> => {
      const reply = await fetch(`${origin}/api${path}`, { headers })
      if (!reply.ok) throw new Error(`GET ${path} answered ${reply.status}: ${await reply.text()}`)
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
      const figures = figuresOf(await timed(times, (at) => get(path(at))))
      measures.push({ what: `${what}, p50`, value: figures.p50, unit: 'ms', budget: null, detail: figures })
    }
    await sql`update settings set value = (value::int + 1)::text where name = 'demo-offset-days'`.execute(db)
    const [night = Number.NaN] = await timed(1, () => moveInvoices({ db }))
    const of = `${employees.toLocaleString('en-US')} employees`
    return [...measures, { what: `the night's round of billing, ${of}`, value: night, unit: 'ms', budget: null }]
  } finally {
    await db.destroy()
  }
}
