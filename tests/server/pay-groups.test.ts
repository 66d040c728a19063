import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { InvoiceStatus } from '#domain/invoice.ts'
import { addDays } from '#domain/calendar.ts'
import { moveInvoices } from '#server/money/billing/clock.ts'
import { setToday } from '#tests/support/bank.ts'
import { fillDraft } from '#server/money/billing/drafts.ts'
import { beginning } from '#server/money/billing/people.ts'
import { createBalance, createCompany, createEmployee, createTransaction } from '#tests/support/company.ts'
import { createInvoice } from '#tests/support/money.ts'
import { asking } from '#tests/support/asking.ts'
import { createServer, messagesOf, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { waitingForLocks } from '#tests/support/locks.ts'

const today = '2026-06-15'
let server: TestServer
let admin: SignedIn
let organizationId: number
let employerId: number
let sister: number

const period = (start_date: string, end_date: string, report_date: string, payment_date: string) => ({
  start_date,
  end_date,
  report_date,
  payment_date,
})
const weekly = {
  name: 'Weekly staff',
  external_code: 'WK-1',
  payroll_frequency: 'WEEKLY',
  adjustment_type: 'NEXT_BUSINESS_DAY',
  first_work_period: period('2026-06-01', '2026-06-07', '2026-06-09', '2026-06-12'),
}
const semiMonthly = {
  name: 'Office',
  external_code: 'OF-1',
  payroll_frequency: 'SEMI_MONTHLY',
  adjustment_type: 'PREVIOUS_BUSINESS_DAY',
  first_work_period: period('2026-06-01', '2026-06-15', '2026-06-17', '2026-06-19'),
  second_work_period: period('2026-06-16', '2026-06-30', '2026-07-02', '2026-07-06'),
}

const { send } = asking(
  () => server,
  () => admin,
)
const create = (values: object = weekly, employer = employerId) =>
  send('POST', '/organizations/paygroups', { employer_id: employer, ...values })
const made = async (values: object = weekly) => {
  const { status, body } = await create(values)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const groups = async (query: string, who = admin) => (await send('GET', `/organizations/paygroups?${query}`, undefined, who)).body
const periodsOf = async (id: number) =>
  (
    await sql<{ start_date: string; end_date: string; report_date: string; payment_date: string }>`
      select start_date, end_date, report_date, payment_date from pay_periods where pay_group_id = ${id} order by 1`.execute(
      server.db,
    )
  ).rows
const invoiced = (periodStart: string, periodEnd: string, status: InvoiceStatus, companyCode = 'WK-1') =>
  createInvoice(server.owner, { employerId, periodStart, periodEnd, status, companyCode, lines: [] })

beforeAll(async () => {
  server = await createServer()
  await setToday(server.owner, today)
  admin = await personWith(server, [3, 4, 1016], 'Ada Admin')
})
afterAll(() => server.close())
let companies = 0
beforeEach(async () => {
  const company = await createCompany(server.db, `Harbor ${++companies}`, 2)
  organizationId = company.organizationId
  ;[employerId, sister] = company.employerIds as [number, number]
})

test('[API-059] [ENT-110] [ENT-111] a pay group has its periods for a year ahead, without a gap', async () => {
  const group = await made()
  expect(group).toMatchObject({ ...weekly, employer_id: employerId, second_work_period: null, derived: false, version: 1 })
  // The second one is current; July 3 is a business day, since Independence Day is a Saturday.
  expect(group.periods[0]).toEqual(period('2026-06-15', '2026-06-21', '2026-06-23', '2026-06-26'))
  expect(group.periods[2]).toEqual(period('2026-06-29', '2026-07-05', '2026-07-07', '2026-07-10'))
  expect(group.periods.length).toBe(6)
  const all = await periodsOf(group.id)
  expect(all[0]).toEqual(weekly.first_work_period)
  for (const [at, each] of all.entries()) if (at > 0) expect(each.start_date).toBe(addDays(all[at - 1]?.end_date as string, 1))
  expect((all.at(-1)?.end_date as string) >= addDays(today, 365)).toBe(true)
  const { rows } =
    await sql`select intent, status, entity, text, after ->> 'name' as name from audit_events where entity_id = ${String(employerId)}`.execute(
      server.db,
    )
  const added = { intent: 'paygroup.create', status: 'Pay group added', entity: 'employer', name: 'Weekly staff' }
  expect(rows).toEqual([{ ...added, text: 'Weekly staff (WK-1)' }])
})

test('[ENT-113] [ENT-116] [ENT-118] a semi-monthly group repeats both periods, and is paid before a holiday', async () => {
  const group = await made(semiMonthly)
  // Juneteenth: the payment of June 19 is one day earlier.
  expect(group.periods[0]).toEqual(period('2026-06-01', '2026-06-15', '2026-06-17', '2026-06-18'))
  expect(group.periods[2]).toEqual(period('2026-07-01', '2026-07-15', '2026-07-16', '2026-07-17'))
  const [read] = (await groups(`employer-id=${employerId}`)).paygroups
  expect(read.second_work_period).toEqual(semiMonthly.second_work_period)
  expect(read.periods[1]).toEqual(period('2026-06-16', '2026-06-30', '2026-07-02', '2026-07-06'))
})

test('a date on the last day of a month repeats as the last day, or as the same day if chosen', async () => {
  const monthly = {
    name: 'Monthly',
    payroll_frequency: 'MONTHLY',
    adjustment_type: 'SAME_DAY',
    first_work_period: period('2026-11-01', '2026-11-30', '2026-11-16', '2026-11-30'),
  }
  const payments = async (id: number) => (await periodsOf(id)).slice(0, 4).map(({ payment_date }) => payment_date)
  // The specified calls have no field for it: an anchor on a last day is the end of the month.
  const last = await made({ ...monthly, external_code: 'MO-1' })
  expect(last.month_end).toBe('LAST_DAY')
  expect(await payments(last.id)).toEqual(['2026-11-30', '2026-12-31', '2027-01-31', '2027-02-28'])
  const same = await made({ ...monthly, external_code: 'MO-2', month_end: 'SAME_DAY' })
  expect(await payments(same.id)).toEqual(['2026-11-30', '2026-12-30', '2027-01-30', '2027-02-28'])
  const changed = await send('PATCH', `/organizations/paygroups/${same.id}`, { month_end: 'LAST_DAY', version: same.version })
  expect(changed.body, JSON.stringify(changed.body)).toMatchObject({ month_end: 'LAST_DAY' })
  expect(await payments(same.id)).toEqual(['2026-11-30', '2026-12-31', '2027-01-31', '2027-02-28'])
  const kept = await send('PATCH', `/organizations/paygroups/${same.id}`, { name: 'All', version: changed.body.version })
  expect(kept.body).toMatchObject({ month_end: 'LAST_DAY', name: 'All' })
  expect((await create({ ...monthly, external_code: 'MO-3', month_end: 'ALWAYS' })).body).toMatchObject({
    status: 422,
    errors: [{ path: 'month_end' }],
  })
})

test('[PGR-001] [PGR-002] [PGR-003] [PGR-004] dates out of order are reported by field, and nothing is stored', async () => {
  const first = weekly.first_work_period
  expect(
    messagesOf(await create({ ...weekly, first_work_period: { ...first, end_date: '2026-06-01', report_date: '2026-06-01' } })),
  ).toEqual({
    status: 422,
    'first_work_period.end_date': 'The end date must be after the start date.',
    'first_work_period.report_date': 'The report date must be after the start date.',
  })
  expect(messagesOf(await create({ ...weekly, first_work_period: { ...first, report_date: '2026-06-12' } }))).toEqual({
    status: 422,
    'first_work_period.report_date': 'The report date must be before the payment date.',
  })
  const second = { ...semiMonthly.second_work_period, report_date: '2026-06-18', payment_date: '2026-06-19' }
  expect(messagesOf(await create({ ...semiMonthly, second_work_period: second }))).toEqual({
    status: 422,
    'second_work_period.payment_date': 'The second payment date must be after the first.',
  })
  expect((await groups(`employer-id=${employerId}`)).paygroups).toEqual([])
})

test('[PGR-005] [PGR-006] every field is required, and a date must be valid', async () => {
  const answer = await send('POST', '/organizations/paygroups', {
    employer_id: employerId,
    first_work_period: { start_date: '2026-02-30' },
  })
  expect(messagesOf(answer)).toEqual({
    status: 422,
    name: 'This is a required field.',
    external_code: 'This is a required field.',
    payroll_frequency: 'This is a required field.',
    adjustment_type: 'This is a required field.',
    'first_work_period.start_date': 'Enter a date such as 2026-11-20',
    'first_work_period.end_date': 'This is a required field.',
    'first_work_period.report_date': 'This is a required field.',
    'first_work_period.payment_date': 'This is a required field.',
  })
  await made()
  expect(messagesOf(await create({ ...weekly, name: 'Twin' }))).toEqual({
    status: 422,
    external_code: 'Another pay group of this employer has this code.',
  })
})

test('[API-061] a change applies to periods without an invoice past DRAFT; the others stay', async () => {
  const group = await made()
  await invoiced('2026-06-01', '2026-06-07', 'SENT')
  await invoiced('2026-06-08', '2026-06-14', 'DRAFT')
  const change = (body: object, version = 1) => send('PATCH', `/organizations/paygroups/${group.id}`, { version, ...body })
  const before = await periodsOf(group.id)
  expect(messagesOf(await change({ external_code: 'WK-2' }))).toEqual({
    status: 422,
    external_code: 'Invoices carry this code, so it stays.',
  })
  expect(messagesOf(await change({ first_work_period: period('2026-06-03', '2026-06-09', '2026-06-11', '2026-06-12') }))).toEqual(
    {
      status: 422,
      'first_work_period.start_date': 'A period has to start on 2026-06-08: those before it have invoices.',
    },
  )
  expect(await periodsOf(group.id)).toEqual(before)

  const { status, body } = await change({
    payroll_frequency: 'BI_WEEKLY',
    first_work_period: period('2026-06-08', '2026-06-21', '2026-06-23', '2026-06-26'),
  })
  expect([status, body.version, body.name]).toEqual([200, 2, 'Weekly staff'])
  expect((await periodsOf(group.id)).slice(0, 3)).toEqual([
    period('2026-06-01', '2026-06-07', '2026-06-09', '2026-06-12'),
    period('2026-06-08', '2026-06-21', '2026-06-23', '2026-06-26'),
    period('2026-06-22', '2026-07-05', '2026-07-07', '2026-07-10'),
  ])
  expect((await change({ name: 'Late' })).status).toBe(409)
})

test('[API-060] a group derived from invoices makes no periods until somebody confirms it, once', async () => {
  await invoiced('2026-06-01', '2026-06-07', 'SENT', 'OLD-1')
  await invoiced('2026-06-08', '2026-06-14', 'DRAFT', 'OLD-1')
  await invoiced('2026-05-16', '2026-05-31', 'SENT', 'OLD-2')
  await invoiced('2026-06-01', '2026-06-15', 'DRAFT', 'OLD-2')
  await invoiced('2026-06-01', '2026-06-04', 'SENT', 'OLD-3')
  await sql`select derive_pay_groups()`.execute(server.owner)
  await sql`select derive_pay_groups()`.execute(server.owner)
  const { paygroups } = await groups(`employer-id=${employerId}`)
  expect(paygroups.map((each: Record<string, never>) => [each.external_code, each.payroll_frequency, each.derived])).toEqual([
    ['OLD-1', 'WEEKLY', true],
    ['OLD-2', 'SEMI_MONTHLY', true],
  ])
  expect(paygroups[1]).toMatchObject({
    first_work_period: { start_date: '2026-05-16', end_date: '2026-05-31' },
    second_work_period: { start_date: '2026-06-01', end_date: '2026-06-15' },
  })
  const [{ id }] = paygroups
  expect((await periodsOf(id)).map((each) => each.start_date)).toEqual(['2026-06-01', '2026-06-08'])
  await moveInvoices({ db: server.db }, { processor: null })
  expect((await periodsOf(id)).length).toBe(2)

  const confirm = (version: number) =>
    send('POST', `/organizations/paygroups/${id}`, {
      ...weekly,
      external_code: 'OLD-1',
      first_work_period: period('2026-06-08', '2026-06-14', '2026-06-16', '2026-06-19'),
      version,
    })
  const confirmed = await confirm(1)
  expect(confirmed).toMatchObject({ status: 200, body: { derived: false, version: 2 } })
  const all = await periodsOf(id)
  expect(all.slice(0, 2).map((each) => each.start_date)).toEqual(['2026-06-01', '2026-06-08'])
  expect(all[1]?.payment_date).toBe('2026-06-22')
  expect(all.length).toBeGreaterThan(50)
  expect((await confirm(2)).body).toMatchObject({ code: 'already-confirmed' })
})

test('a derived group with two drafts ahead is confirmed unchanged: the periods of both are made', async () => {
  await invoiced('2026-06-01', '2026-06-07', 'SENT', 'OLD-4')
  await invoiced('2026-06-08', '2026-06-14', 'DRAFT', 'OLD-4')
  await invoiced('2026-06-15', '2026-06-21', 'DRAFT', 'OLD-4')
  await sql`select derive_pay_groups()`.execute(server.owner)
  const [group] = (await groups(`employer-id=${employerId}`)).paygroups
  const { name, external_code, payroll_frequency, adjustment_type, first_work_period, version } = group
  expect(first_work_period.start_date).toBe('2026-06-15')
  const body = { name, external_code, payroll_frequency, adjustment_type, first_work_period, version }
  expect(await send('POST', `/organizations/paygroups/${group.id}`, body)).toMatchObject({
    status: 200,
    body: { derived: false, first_work_period: { start_date: '2026-06-08', end_date: '2026-06-14' } },
  })
  expect((await periodsOf(group.id)).slice(0, 3).map((each) => each.start_date)).toEqual([
    '2026-06-01',
    '2026-06-08',
    '2026-06-15',
  ])
})

test('the clock adds the periods missing from a year ahead, once', async () => {
  const group = await made()
  const far = addDays(today, 60)
  const last = (await periodsOf(group.id)).at(-1)?.end_date as string
  expect((await moveInvoices({ db: server.db }, { today: far, processor: null })).extended).toBeGreaterThan(0)
  const all = await periodsOf(group.id)
  expect((all.at(-1)?.end_date as string) >= addDays(far, 365)).toBe(true)
  expect(all.find((each) => each.end_date > last)?.start_date).toBe(addDays(last, 1))
  expect((await moveInvoices({ db: server.db }, { today: far, processor: null })).extended).toBe(0)
  expect(await periodsOf(group.id)).toEqual(all)
})

test('the next draft of an invoice has the period and the report date of its pay group', async () => {
  // Ten days long, unlike any period of a pay group.
  const { id } = await invoiced('2026-05-29', '2026-06-07', 'DRAFT')
  await made({ ...weekly, first_work_period: period('2026-06-08', '2026-06-14', '2026-06-18', '2026-06-22') })
  await sql`update invoices set report_date = ${today} where id = ${id}`.execute(server.owner)
  await moveInvoices({ db: server.db }, { processor: null })
  const { rows } = await sql`select period_start, period_end, report_date, status from invoices
    where employer_id = ${employerId} and id <> ${id} order by 1`.execute(server.db)
  expect(rows.slice(0, 2)).toEqual([
    { period_start: '2026-06-08', period_end: '2026-06-14', report_date: '2026-06-18', status: 'DRAFT' },
    { period_start: '2026-06-15', period_end: '2026-06-21', report_date: '2026-06-25', status: 'DRAFT' },
  ])
})

test('a draft created while its pay group is changed has the new dates', async () => {
  const { id } = await invoiced('2026-05-29', '2026-06-07', 'DRAFT')
  const group = await made({ ...weekly, first_work_period: period('2026-06-08', '2026-06-14', '2026-06-18', '2026-06-22') })
  await sql`update invoices set report_date = ${today} where id = ${id}`.execute(server.owner)
  const waiting = (processes: number) => expect.poll(() => waitingForLocks(server), { interval: 10 }).toBe(processes)
  const [clock, changed] = await server.owner.transaction().execute(async (tx) => {
    // The clock waits for this lock once it reports the invoice, which creates a deduction.
    await sql`lock table deductions in exclusive mode`.execute(tx)
    const round = moveInvoices({ db: server.db }, { processor: null })
    await waiting(1)
    const change = send('PATCH', `/organizations/paygroups/${group.id}`, {
      first_work_period: period('2026-06-08', '2026-06-14', '2026-06-17', '2026-06-22'),
      version: group.version,
    })
    await waiting(2)
    return [round, change].map((one) => () => one)
  })
  expect(await clock?.()).toMatchObject({ reported: 1, failed: 0 })
  expect(await changed?.()).toMatchObject({ status: 200 })
  const { rows } = await sql`select period_start, report_date from invoices
    where employer_id = ${employerId} and status = 'DRAFT' order by 1`.execute(server.db)
  expect(rows).toEqual([
    { period_start: '2026-06-08', report_date: '2026-06-17' },
    { period_start: '2026-06-15', report_date: '2026-06-24' },
    { period_start: '2026-06-22', report_date: '2026-07-01' },
  ])
})

test('the preview of a save equals its effect: drafts take the new periods, with history', async () => {
  const group = await made()
  await invoiced('2026-06-01', '2026-06-07', 'SENT')
  const { id: first } = await invoiced('2026-06-08', '2026-06-14', 'DRAFT')
  const { id: next } = await invoiced('2026-06-15', '2026-06-21', 'DRAFT')
  const billing = await send('GET', `/organizations/paygroups/${group.id}/billing`)
  expect(billing.body).toMatchObject({ business_date: today, kept_until: '2026-06-07', drafts: null })
  const biller = await personWith(server, [1, 3], 'Bea Biller')
  const preview = await send('GET', `/organizations/paygroups/${group.id}/billing`, undefined, biller)
  expect(preview.body.drafts.map((each: { id: number; period_start: string }) => [each.id, each.period_start])).toEqual([
    [first, '2026-06-08'],
    [next, '2026-06-15'],
  ])
  const changed = await send('PATCH', `/organizations/paygroups/${group.id}`, {
    version: 1,
    payroll_frequency: 'BI_WEEKLY',
    first_work_period: period('2026-06-08', '2026-06-21', '2026-06-23', '2026-06-26'),
  })
  expect(changed.status).toBe(200)
  const drafts = await sql`select id, period_start, period_end, issue_date, report_date, due_date from invoices
    where employer_id = ${employerId} and status = 'DRAFT' order by period_start`.execute(server.db)
  expect(drafts.rows).toEqual([
    {
      id: first,
      period_start: '2026-06-08',
      period_end: '2026-06-21',
      issue_date: '2026-06-22',
      report_date: '2026-06-23',
      due_date: '2026-06-29',
    },
    // Independence Day is a Saturday, so Friday is open.
    {
      id: next,
      period_start: '2026-06-22',
      period_end: '2026-07-05',
      issue_date: '2026-07-06',
      report_date: '2026-07-07',
      due_date: '2026-07-13',
    },
  ])
  const events = await sql`select status, actor_name, before ->> 'period_end' as before, after ->> 'period_end' as after
    from audit_events where entity = 'invoice' and entity_id = ${String(first)} and intent = 'invoice.redate'`.execute(server.db)
  expect(events.rows).toEqual([
    { status: 'Dates follow the pay group', actor_name: 'Ada Admin', before: '2026-06-14', after: '2026-06-21' },
  ])
  // Nothing moves if no date changed.
  await send('PATCH', `/organizations/paygroups/${group.id}`, { version: 2, name: 'Crew' })
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from audit_events where intent = 'invoice.redate'
    and entity_id in (${String(first)}, ${String(next)})`.execute(server.db)
  expect(rows).toEqual([{ count: 2 }])
})

test('an employer is billed once from the period of its go-live, and not by a derived group', async () => {
  await sql`update employers set go_live_date = ${addDays(today, 20)} where id = ${employerId}`.execute(server.owner)
  await sql`insert into lms_configurations (employer_id, payment_method, debtor_type, invoice_net_days)
    values (${employerId}, 'AUTO_ACH', 'ORGANIZATION', 3)`.execute(server.owner)
  await made(semiMonthly)
  const invoices = async () =>
    (
      await sql`select period_start, period_end, report_date, due_date, status, company_code, payment_method, debtor_id from invoices
        where employer_id = ${employerId} order by period_start`.execute(server.db)
    ).rows
  await moveInvoices({ db: server.db }, { processor: null })
  expect(await invoices()).toEqual([])
  await moveInvoices({ db: server.db }, { today: addDays(today, 20), processor: null })
  const same = { status: 'DRAFT', company_code: 'OF-1', payment_method: 'AUTO_ACH', debtor_id: organizationId }
  const drafted = [
    { ...same, period_start: '2026-07-01', period_end: '2026-07-15', report_date: '2026-07-16', due_date: '2026-07-20' },
    { ...same, period_start: '2026-07-16', period_end: '2026-07-31', report_date: '2026-07-31', due_date: '2026-08-03' },
  ]
  expect(await invoices()).toEqual(drafted)
  await moveInvoices({ db: server.db }, { today: addDays(today, 20), processor: null })
  expect(await invoices()).toEqual(drafted)
})

test('an invoice bills employees by the frequency of its pay group, not the length of its period', async () => {
  // Two weeks from 16 to 29 February of a leap year are also the second half of that month.
  await made({
    ...weekly,
    payroll_frequency: 'BI_WEEKLY',
    first_work_period: period('2028-02-16', '2028-02-29', '2028-03-02', '2028-03-06'),
  })
  await made({
    ...semiMonthly,
    first_work_period: period('2028-02-01', '2028-02-15', '2028-02-17', '2028-02-22'),
    second_work_period: period('2028-02-16', '2028-02-29', '2028-03-02', '2028-03-06'),
  })
  const worker = async (payFrequency: string) => {
    const { id } = await createEmployee(server.owner, { employerId, payFrequency, linked: {} })
    const balanceId = await createBalance(server.owner, id, {
      available: 50_000,
      start: '2028-02-16',
      end: '2028-02-29',
      open: false,
    })
    await createTransaction(server.owner, { employeeId: id, balanceId, status: 'COMPLETE', amount: 10_000 })
    return id
  }
  const [fortnightly, halfMonthly] = [await worker('BI_WEEKLY'), await worker('SEMI_MONTHLY')]
  const { id: ofWeeks } = await invoiced('2028-02-16', '2028-02-29', 'DRAFT', 'WK-1')
  const { id: ofHalves } = await invoiced('2028-02-16', '2028-02-29', 'DRAFT', 'OF-1')
  await server.owner.transaction().execute(async (tx) => {
    await fillDraft(tx, ofWeeks, new Date(), beginning)
    await fillDraft(tx, ofHalves, new Date(), beginning)
  })
  const { rows } = await sql`select invoice_id, employee_id from invoice_lines where invoice_id in (${ofWeeks}, ${ofHalves})
    order by invoice_id`.execute(server.db)
  expect(rows).toEqual([
    { invoice_id: ofWeeks, employee_id: fortnightly },
    { invoice_id: ofHalves, employee_id: halfMonthly },
  ])
})

test('[PERM-036] saving a pay group in any way needs its permission', async () => {
  const group = await made()
  const viewer = await personWith(server, [3, 4], 'Vera Viewer')
  expect((await send('GET', `/organizations/paygroups/${group.id}`, undefined, viewer)).body.name).toBe('Weekly staff')
  for (const [method, path, body] of [
    ['POST', '/organizations/paygroups', { employer_id: employerId, ...weekly, external_code: 'WK-9' }],
    ['POST', `/organizations/paygroups/${group.id}`, { ...weekly, version: 1 }],
    ['PATCH', `/organizations/paygroups/${group.id}`, { name: 'Crew', version: 1 }],
  ] as const)
    expect(await send(method, path, body, viewer)).toMatchObject({
      status: 403,
      body: { detail: "You don't have permission to take this action." },
    })
  expect((await groups(`employer-id=${employerId}`)).paygroups).toEqual([group])
})

test('[API-058] [API-043] groups and their current periods are visible only with access to the employer', async () => {
  const own = await made()
  await create({ ...semiMonthly }, sister)
  const found = await groups(`organization-id=${organizationId}`)
  expect(found.paygroups.map((each: { employer_id: number }) => each.employer_id)).toEqual([employerId, sister])
  expect((await groups(`employer-id=${sister}&organization-id=${organizationId}`)).paygroups.length).toBe(1)
  expect((await send('GET', '/organizations/paygroups')).body).toEqual({ paygroups: [] })
  const maya = await personWith(server, [3, 4, 1016], 'Maya Lindt', 'ACCOUNT_MANAGER')
  await sql`insert into access_grants (person_id, employer_id) values (${maya.id}, ${employerId})`.execute(server.owner)
  expect((await groups(`organization-id=${organizationId}`, maya)).paygroups.map((each: { id: number }) => each.id)).toEqual([
    own.id,
  ])
  const current = (await send('GET', '/employers/payrollgroups/periods/current', undefined, maya)).body
  expect(current.periods).toEqual([
    {
      ...period('2026-06-15', '2026-06-21', '2026-06-23', '2026-06-26'),
      pay_group_id: own.id,
      employer_id: employerId,
      name: 'Weekly staff',
      external_code: 'WK-1',
    },
  ])
  const theirs = (await groups(`employer-id=${sister}`)).paygroups[0]
  expect((await send('PATCH', `/organizations/paygroups/${theirs.id}`, { name: 'Mine', version: 1 }, maya)).status).toBe(404)
  expect((await send('POST', '/organizations/paygroups', { employer_id: sister, ...weekly }, maya)).status).toBe(404)
})
