import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissionIds } from '#domain/permissions.ts'
import { seedDemo } from '#server/seed/demo.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith } from '#tests/support/session.ts'
import { signInAs } from '#tests/support/sign-in.ts'

type Row = Record<string, unknown>
type Headers = Record<string, string>

let server: TestServer
let people: { title: string; headers: Headers }[]

beforeAll(async () => {
  server = await createServer()
  await seedDemo(server.owner, { employees: 2_000, today: '2026-01-31' })
  // The bank of the demo company has answered nothing yet.
  await sql`insert into ach_results (trace_number, code, amount, effective_date, state, problem, taken_at, repayment_id)
    select 'TRACE-' || r.id || code, code, 100 * (r.id % 50), business_date(), state, problem, now(), r.id
    from (select * from repayments order by id limit 20) r,
      (values ('R01', 'UNMATCHED', 'REPEATED'), ('C01', 'UNMATCHED', 'NOTICE_OF_CHANGE'), ('R02', 'DISMISSED', null))
        answers(code, state, problem)`.execute(server.owner)
  const admin = await personWith(server, permissionIds)
  const employers = await server.db.selectFrom('employers').select('id').orderBy('id').limit(3).execute()
  const manager = await createPerson(server.db, {
    kind: 'ACCOUNT_MANAGER',
    permissions: permissionIds,
    grants: employers.map(({ id }) => ({ employerId: id })),
  })
  people = [
    { title: 'an admin', headers: admin.headers },
    { title: 'an account manager', headers: await signInAs(server, manager) },
  ]
})
afterAll(() => server.close())

/** All rows of a list, read page by page. */
async function rowsOf(path: string, rows: string, query: string, headers: Headers): Promise<Row[]> {
  const all: Row[] = []
  for (let lek: string | null = null; ; ) {
    const at: string = `${path}?limit=200&${query}${lek ? `&lek=${encodeURIComponent(lek)}` : ''}`
    const { status, body } = await call(server, 'GET', at, { headers })
    expect([at, status]).toEqual([at, 200])
    all.push(...body[rows])
    lek = body.lek
    if (lek === null) return all
  }
}

const own = (...names: string[]) => Object.fromEntries(names.map((name) => [name, (row: Row) => row[name] as number | null]))

/** The lists whose count has sums: the property of their rows, and each sum as an amount of a row. */
const lists: [path: string, rows: string, sums: Record<string, (row: Row) => number | null>, queries: string[]][] = [
  [
    '/invoices',
    'data',
    own(
      'original_amount',
      'writeoff_amount',
      'rollover_amount',
      'rollover_out_amount',
      'invoice_amount',
      'paid_amount',
      'outstanding_amount',
    ),
    ['', 'status=OVERDUE', 'outstanding-over=1000', 'q=works'],
  ],
  ['/repayments', 'repayments', own('amount', 'unallocated_amount'), ['', 'unallocated=YES', 'amount-under=100000']],
  ['/write-offs', 'write_offs', own('suggested_amount', 'approved_amount'), ['', 'status=PENDING', 'status-not=PENDING']],
  ['/deductions', 'deductions', own('amount'), ['', 'status=PENDING', 'status-not=PENDING']],
  [
    '/bank-results',
    'bank_results',
    { ...own('amount'), debited_amount: (row) => (row['debit'] as { amount: number } | null)?.amount ?? null },
    ['', 'state=UNMATCHED'],
  ],
]

test.each(lists)(
  'the count of %s adds up the amounts of exactly the rows that the person sees',
  async (path, rows, sums, queries) => {
    for (const { title, headers } of people) {
      for (const query of queries) {
        const all = await rowsOf(path, rows, query, headers)
        const { body } = await call(server, 'GET', `${path}/count?${query}`, { headers })
        const totals = Object.fromEntries(
          Object.entries(sums).map(([name, of]) => [name, all.reduce((sum, row) => sum + (of(row) ?? 0), 0)]),
        )
        expect([title, query, body]).toEqual([title, query, { count: all.length, exact: true, totals }])
      }
    }
    // An empty list would prove nothing.
    const [admin] = people
    expect((await rowsOf(path, rows, '', admin?.headers ?? {})).length).toBeGreaterThan(0)
  },
)
