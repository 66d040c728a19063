import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Invoice, invoiceSorts } from '#contract/invoices.ts'
import { derivedStates, derivedStatesOf, invoiceStatuses } from '#domain/invoice.ts'
import { createCompany, organizationOfInvoice } from '#tests/support/company.ts'
import { createBillingAccount, createInvoice, createWriteOff } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

/** Every status with all paid amounts and due dates, so that all derived states occur together. */
const paid = [0, 1, 50_00, 100_00, 130_00]
const dues = [-40, -1, 0, 30]
const total = invoiceStatuses.values.length * paid.length * dues.length
let server: TestServer
let admin: Headers
let manager: Headers
let stranger: Headers
let employers: number[]
let harbor: number

beforeAll(async () => {
  server = await createServer()
  const { db } = server
  const company = await createCompany(db, 'Harbor', 5)
  employers = company.employerIds
  harbor = company.organizationId
  await sql`
    insert into invoices (organization_id, employer_id, debtor_type, debtor_id, status, company_code, payment_method,
      period_start, period_end, issue_date, report_date, due_date, original_amount, paid_amount, has_notes, updated_at)
    select ${harbor}, (${employers}::bigint[])[1 + n % 5], 'EMPLOYER', (${employers}::bigint[])[1 + n % 5], status, 'CO-' || lpad((n % 12)::text, 3, '0'),
      case when n % 3 = 0 then 'AUTO_ACH' else 'SELF_PAY' end, '2026-01-01', '2026-01-15', date '2026-01-20' + n % 7,
      date '2026-01-20' + n % 5, business_date() + due, 10000, paid, n % 10 = 0, timestamptz '2026-01-01' + (n % 40) * interval '1 millisecond'
    from (select row_number() over ()::int as n, status, paid, due from unnest(${[...invoiceStatuses.values]}::text[]) status,
      unnest(${paid}::bigint[]) paid, unnest(${dues}::int[]) due) each`.execute(server.owner)
  admin = await signInAs(server, await createPerson(db, { groups: [1] }))
  const grants = [{ employerId: employers[1] as number }, { employerId: employers[4] as number }]
  manager = await signInAs(server, await createPerson(db, { kind: 'ACCOUNT_MANAGER', permissions: [1], grants }))
  stranger = await signInAs(server, await createPerson(db, { kind: 'ACCOUNT_MANAGER', permissions: [1, 2] }))
})
afterAll(() => server.close())

const get = (path: string, query: Record<string, string> = {}, headers = admin) =>
  call(server, 'GET', `${path}?${new URLSearchParams(query)}`, { headers })

const list = async (query: Record<string, string>, headers = admin) => {
  const answer = await get('/invoices', query, headers)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body as { data: Invoice[]; page: number | null; total_pages: number | null; lek: string | null }
}

async function all(query: Record<string, string>, headers = admin): Promise<Invoice[]> {
  const found: Invoice[] = []
  for (let lek: string | null = null; ; ) {
    const page = await list({ limit: '70', ...query, ...(lek && { lek }) }, headers)
    if (query.direction === 'before') found.unshift(...page.data)
    else found.push(...page.data)
    lek = page.lek
    if (lek === null) return found
  }
}
const ids = (invoices: Invoice[]) => invoices.map((invoice) => invoice.id)
const only = async (query: Record<string, string>, headers = admin) => ids(await all(query, headers))

describe.each(invoiceSorts)('[SCR-052] sorted by %s', (sort) => {
  test.each(['asc', 'desc'])('all invoices are paged through once, in the same order in both directions: %s', async (order) => {
    for (const [headers, expected] of [
      [admin, total],
      [manager, (total * 2) / 5],
    ] as const) {
      const forward = await all({ sort, 'sort-order': order }, headers)
      expect(new Set(ids(forward)).size).toBe(expected)
      expect(forward.length).toBe(expected)
      const keys = forward.map((invoice) => invoice[sort])
      const rise = order === 'asc' ? 1 : -1
      const sorted = [...forward].sort((one, other) => {
        const [a, b] = [one[sort], other[sort]]
        return rise * (a < b ? -1 : a > b ? 1 : one.id - other.id)
      })
      expect(keys).toEqual(sorted.map((invoice) => invoice[sort]))
      expect(ids(forward)).toEqual(ids(sorted))
      expect(await only({ sort, 'sort-order': order, direction: 'before' }, headers)).toEqual(ids(forward))
    }
  })
})

test('[API-120] the next page is page+1 while page < total_pages-1, from the first to the last invoice', async () => {
  const whole = await only({})
  for (const pageSize of [undefined, 7, 200]) {
    const asked: Record<string, string> = pageSize === undefined ? {} : { pageSize: String(pageSize) }
    const seen: number[] = []
    let answer = await list({ ...asked, page: '0' })
    for (let more = true; more; ) {
      seen.push(...ids(answer.data))
      const { page, total_pages } = answer as { page: number; total_pages: number }
      more = page < total_pages - 1
      if (more) answer = await list({ ...asked, page: String(page + 1) })
    }
    expect(seen).toEqual(whole)
  }
})

test('[API-119] [CONST-002] pages have 20 rows, start at 0, and the last is total_pages - 1', async () => {
  const pages = Math.ceil(total / 20)
  for (let page = 0; page < pages; page += 1) {
    const { data, page: current, total_pages, lek } = await list({ page: String(page) })
    expect([current, total_pages, lek]).toEqual([page, pages, null])
    expect(data).toHaveLength(Math.min(20, total - 20 * page))
  }
  expect((await list({ page: String(pages) })).data).toEqual([])
  const filtered = await list({ pageSize: '7', status: 'SENT,OVERDUE', sort: 'due_date', 'sort-order': 'desc' })
  const whole = await only({ status: 'SENT,OVERDUE', sort: 'due_date', 'sort-order': 'desc' })
  expect(filtered.total_pages).toBe(Math.ceil(whole.length / 7))
  expect(ids(filtered.data)).toEqual(whole.slice(0, 7))
  expect((await list({}, manager)).total_pages).toBe(Math.ceil((total * 2) / 5 / 20))
})

test('[API-119] a page beyond the last has its own error code, and so have page and cursor together', async () => {
  expect((await list({ page: '10000' })).data).toEqual([])
  const far = await get('/invoices', { page: '10001' })
  expect([far.status, far.body.code, far.body.errors[0].path]).toEqual([422, 'page-too-far', 'page'])
  const both = await get('/invoices', { page: '1', limit: '5' })
  expect([both.status, both.body.code]).toEqual([422, 'validation-failed'])
})

test('[API-119] a cursor of another person, filter or order is refused', async () => {
  const { lek } = await list({ sort: 'due_date', limit: '10' })
  const code = async (query: Record<string, string>, headers: Headers) =>
    (await get('/invoices', { ...query, lek: lek as string }, headers)).body.code
  expect(await code({ sort: 'due_date' }, manager)).toBe('cursor-invalid')
  expect(await code({ sort: 'due_date', status: 'SENT' }, admin)).toBe('cursor-invalid')
  expect(await code({ sort: 'issue_date' }, admin)).toBe('cursor-invalid')
  expect(await code({ sort: 'due_date' }, admin)).toBeUndefined()
})

test.each(invoiceStatuses.values)('[INV-012] [SCR-051] filters by %s, and by all others', async (status) => {
  const found = await all({ status })
  expect(found.map((invoice) => invoice.status)).toEqual(Array(paid.length * dues.length).fill(status))
  expect((await all({ 'status-not': status })).map((invoice) => invoice.status)).not.toContain(status)
})

test.each(derivedStates.values)(
  '[INV-013] [INV-014] [INV-015] the filter %s matches exactly the invoices of its rule',
  async (state) => {
    const everything = await all({})
    const hasState = (invoice: Invoice) => derivedStatesOf(invoice, invoice.as_of).includes(state)
    expect(everything.filter(hasState).length).toBeGreaterThan(5)
    expect(await only({ status: state })).toEqual(ids(everything.filter(hasState)))
    expect(await only({ 'status-not': state })).toEqual(ids(everything.filter((invoice) => !hasState(invoice))))
    expect(everything.filter((invoice) => invoice.derived.includes(state))).toEqual(everything.filter(hasState))
    const either = everything.filter((invoice) => hasState(invoice) || invoice.status === 'DRAFT')
    expect(await only({ status: `DRAFT,${state}` })).toEqual(ids(either))
    const { data, total_pages } = await list({ status: state, pageSize: '200' })
    expect([ids(data), total_pages]).toEqual([ids(everything.filter(hasState)), 1])
  },
)

test('[SCR-051] filters by method, notes, dates, debtor, organization and employer, and their negations', async () => {
  const everything = await all({})
  const like = (held: (invoice: Invoice) => boolean) => ids(everything.filter(held))
  expect(await only({ 'payment-method': 'AUTO_ACH' })).toEqual(like((one) => one.payment_method === 'AUTO_ACH'))
  expect(await only({ 'payment-method-not': 'AUTO_ACH' })).toEqual(like((one) => one.payment_method !== 'AUTO_ACH'))
  expect(await only({ 'outstanding-over': '5000' })).toEqual(like((one) => one.outstanding_amount > 50_00))
  expect(await only({ 'outstanding-over': '4999', 'outstanding-under': '20001' })).toEqual(
    like((one) => one.outstanding_amount >= 50_00 && one.outstanding_amount <= 200_00),
  )
  expect(await only({ 'outstanding-under': '0' })).toEqual(like((one) => one.outstanding_amount < 0))
  expect(await only({ 'amount-over': '4999', 'amount-under': '20001' })).toEqual(
    like((one) => one.invoice_amount >= 50_00 && one.invoice_amount <= 200_00),
  )
  expect(await only({ notes: 'YES' })).toEqual(like((one) => one.has_notes))
  expect(await only({ 'notes-not': 'YES' })).toEqual(like((one) => !one.has_notes))
  expect(await only({ notes: 'YES,NO' })).toEqual(ids(everything))
  expect(await only({ 'notes-not': 'YES,NO' })).toEqual([])
  const between = (name: 'issue_date' | 'report_date') => (one: Invoice) => one[name] >= '2026-01-21' && one[name] <= '2026-01-23'
  expect(await only({ 'issued-from': '2026-01-21', 'issued-to': '2026-01-23' })).toEqual(like(between('issue_date')))
  expect(await only({ 'reported-from': '2026-01-21', 'reported-to': '2026-01-23' })).toEqual(like(between('report_date')))
  const today = everything[0]?.as_of as string
  expect((await get('/invoices', { 'due-from': today, 'due-to': today })).body.errors).toEqual([
    { path: 'due-to', message: 'The end must be after the start.' },
  ])
  expect(await only({ 'due-on': today })).toEqual(like((one) => one.due_date === today))
  expect(await only({ 'issued-on': '2026-01-22' })).toEqual(like((one) => one.issue_date === '2026-01-22'))
  const second = String(employers[2])
  expect(await only({ 'debtor-type': 'EMPLOYER', 'debtor-id': second })).toEqual(like((one) => one.debtor_id === employers[2]))
  expect(await only({ 'employer-id': second })).toEqual(like((one) => one.employer.id === employers[2]))
  expect(await only({ 'organization-id': String(harbor) })).toEqual(ids(everything))
  expect(await only({ 'organization-id': '1' })).toEqual([])
  expect(await only({ 'company-code': 'o-01' })).toEqual(like((one) => one.company_code.includes('CO-01')))
  expect(await only({ id: `INV-${everything[3]?.id},${everything[5]?.id}` })).toEqual([everything[3]?.id, everything[5]?.id])
})

test('[INV-027] the invoice id matches with or without INV-, partially, and its format is checked', async () => {
  const everything = await only({})
  const some = everything[17] as number
  expect(await only({ number: `INV-${some}` })).toEqual([some])
  expect(await only({ number: String(some) })).toEqual([some])
  const part = String(some).slice(-3)
  expect(await only({ number: part })).toEqual(everything.filter((id) => String(id).includes(part)))
  expect(await only({ number: `inv-${String(some).slice(0, 4)}` })).toEqual(
    everything.filter((id) => String(id).startsWith(String(some).slice(0, 4))),
  )
  for (const query of [{ number: 'INV-' }, { number: 'REP-1' }, { number: '%' }, { id: 'INV-x' }, { id: '40001;' }] as Record<
    string,
    string
  >[]) {
    const { status, body } = await get('/invoices', query)
    expect([status, body.errors[0].message]).toEqual([422, 'An invoice id looks like INV-40001.'])
  }
})

test('[API-119] search matches number, company code, employer, organization; the exact number first', async () => {
  const everything = await all({})
  const some = everything[100]?.id as number
  const other = await createInvoice(server.db, { employerId: employers[0] as number, companyCode: `ZZ-${some}` })
  expect(await only({ q: String(some) })).toEqual([some, other.id])
  expect(await only({ q: `inv-${some}` })).toEqual([some])
  const later = await only({ q: String(other.id) })
  expect(later[0]).toBe(other.id)
  expect(await only({ q: 'co-007' })).toEqual(ids(everything.filter((one) => one.company_code === 'CO-007')))
  expect(await only({ q: 'harbor works 3' })).toEqual(ids(everything.filter((one) => one.employer.id === employers[2])))
  expect(await only({ q: 'works 3 co-007' })).toEqual(
    ids(everything.filter((one) => one.employer.id === employers[2] && one.company_code === 'CO-007')),
  )
  expect(await only({ q: 'HARBOR' })).toHaveLength(total + 1)
  expect(await only({ q: '%' })).toEqual([])
  expect((await list({ q: String(some) })).data.map((one) => one.id)).toEqual([some, other.id])
  expect(await only({ q: 'harbor', direction: 'before' })).toEqual(await only({ q: 'harbor' }))
})

const amounts = [
  ...(['original_amount', 'writeoff_amount', 'rollover_amount', 'rollover_out_amount'] as const),
  ...(['invoice_amount', 'paid_amount', 'outstanding_amount'] as const),
]

test('[API-119] the count is exact, and the totals are the sums of the rows', async () => {
  for (const [filter, headers] of [
    [{}, admin],
    [{ status: 'OVERDUE' }, admin],
    [{ q: 'co-007' }, admin],
    [{ status: 'CLOSED' }, manager],
  ] as const) {
    const rows = await all(filter, headers)
    const sum = (name: (typeof amounts)[number]) => rows.reduce((all, row) => all + row[name], 0)
    expect((await get('/invoices/count', filter, headers)).body).toEqual({
      count: rows.length,
      exact: true,
      totals: Object.fromEntries(amounts.map((name) => [name, sum(name)])),
    })
  }
})

test('[API-042] the invoices of an employer are listed newest first, by page', async () => {
  const path = `/employers/${employers[1]}/invoices`
  const first = (await get(path)).body
  expect([first.page, first.total_pages, first.data.length]).toEqual([0, Math.ceil(total / 5 / 20), 20])
  const second = (await get(path, { page: '1', pageSize: '20' })).body
  const expected = (await only({ 'employer-id': String(employers[1]) })).reverse()
  expect([...ids(first.data), ...ids(second.data)]).toEqual(expected.slice(0, 40))
  expect((await get(path, {}, manager)).status).toBe(200)
  expect((await get(`/employers/${employers[0]}/invoices`, {}, manager)).status).toBe(404)
  expect((await get(path, { page: '10001' })).body.code).toBe('page-too-far')
})

test('[SCR-051] filters by open write-offs and refunds, flagged debtors, debits without account', async () => {
  const { db } = server
  const company = await createCompany(db, 'Stranded', 2)
  const [one, two] = company.employerIds as [number, number]
  const waiting = await createInvoice(db, { employerId: one, status: 'REFUND_IN_PROGRESS', paid: 150_00 })
  const served = await createInvoice(db, { employerId: two, status: 'REFUND_IN_PROGRESS', paid: 150_00 })
  const draft = await createInvoice(db, { employerId: two, status: 'DRAFT' })
  const suggested = await createInvoice(db, { employerId: one })
  await createWriteOff(db, { invoiceId: suggested.id, lineId: suggested.lineIds[0] as number, amount: 100 })
  for (const { id } of [waiting, served])
    await sql`insert into credits (organization_id, kind, invoice_id, amount, state)
      values (${organizationOfInvoice(id)}, 'REFUND', ${id}, 5000, 'WAITING')`.execute(db)
  await sql`insert into debtor_flags (organization_id, debtor_type, debtor_id, invoice_id, reason)
    values (${organizationOfInvoice(served.id)}, 'EMPLOYER', ${two}, ${served.id}, 'x')`.execute(db)
  const made = [waiting.id, served.id, draft.id, suggested.id]
  const scope = { 'organization-id': String(company.organizationId) }
  expect(await only({ ...scope, 'stranded-refund': 'YES' })).toEqual([waiting.id])
  expect(await only({ ...scope, 'stranded-refund-not': 'YES' })).toEqual([served.id, draft.id, suggested.id])
  expect(await only({ ...scope, 'pending-write-offs': 'YES' })).toEqual([suggested.id])
  expect(await only({ ...scope, 'pending-write-offs': 'NO' })).toEqual([waiting.id, served.id, draft.id])
  expect(await only({ ...scope, 'debtor-flagged': 'YES' })).toEqual([served.id, draft.id])
  expect(await only(scope)).toEqual(made)
  const debited = await createInvoice(db, { employerId: one, status: 'SCHEDULED' })
  expect(await only({ ...scope, 'debit-without-account': 'YES' })).toEqual([debited.id])
  await createBillingAccount(db, { organizationId: company.organizationId, employerIds: [two] })
  expect(await only({ ...scope, 'debit-without-account': 'YES' })).toEqual([debited.id])
  await createBillingAccount(db, { organizationId: company.organizationId, employerIds: [one] })
  expect(await only({ ...scope, 'debit-without-account': 'YES' })).toEqual([])
})

test('[API-119] without a grant nothing is found, without the permission nothing is read', async () => {
  expect(await only({}, stranger)).toEqual([])
  expect(await list({}, stranger)).toMatchObject({ data: [], total_pages: 0 })
  const [some] = (await list({ limit: '1' })).data as [Invoice]
  const ways: Record<string, string>[] = [
    { id: String(some.id) },
    { q: some.number },
    { number: some.number },
    { 'employer-id': String(employers[0]) },
  ]
  for (const query of ways) expect(await only(query, stranger)).toEqual([])
  expect((await get('/invoices/count', {}, stranger)).body).toMatchObject({ count: 0, totals: { invoice_amount: 0 } })
  const unable = await signInAs(server, await createPerson(server.db, { permissions: [2] }))
  for (const path of ['/invoices', '/invoices/count', `/employers/${employers[0]}/invoices`])
    expect((await get(path, {}, unable)).status).toBe(403)
})
