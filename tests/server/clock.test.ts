import { fork } from 'node:child_process'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mayMove } from '#domain/invoice-life.ts'
import { identityHolds, totalsOf, waitingCredit } from '#tests/support/ledger.ts'
import { moveInvoices } from '#server/money/billing/clock.ts'
import type { PaymentProcessor } from '#server/money/billing/processor.ts'
import { simulator } from '#server/money/billing/simulator.ts'
import { seedDemo } from '#server/seed/demo.ts'
import { countFigures } from '#server/tables/count-figures.ts'
import { bankOf, setToday as moveTo } from '#tests/support/bank.ts'
import { createCompany } from '#tests/support/company.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createBillingAccount, createInvoice, createWriteOff } from '#tests/support/money.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createDatabase()
})
afterEach(() => database.drop())

const all = async <T>(statement: ReturnType<typeof sql<T>>): Promise<T[]> => (await statement.execute(database.db)).rows
const one = async <T>(statement: ReturnType<typeof sql<T>>): Promise<T> => (await all(statement))[0] as T

const setToday = (today: string) => moveTo(database.db, today)

/** On the next day every debit settles, or is returned with this code and share. */
const bank = (code = 'SETTLED', share = 1): PaymentProcessor => ({
  submit: async (tx, debits, on) => {
    for (const { trace_number, amount } of debits)
      await sql`insert into ach_results (trace_number, code, amount, effective_date)
        values (${trace_number}, ${code}, ${Math.floor(amount * share)}, ${on}::date + 1)`.execute(tx)
  },
})

const statusOf = async (id: number) => (await one(sql<{ status: string }>`select status from invoices where id = ${id}`)).status

interface Event {
  id: number
  entity_id: string
  before: { status: string } | null
  after: { status: string; outstanding_amount: number }
}

/** An approval that leaves nothing outstanding also closes the invoice: two transitions in one event. */
const isPossibleMove = (from: string, { status, outstanding_amount }: Event['after']): boolean =>
  mayMove(from, status) || (from === 'ON_DEDUCTION_FILE' && status === 'CLOSED' && outstanding_amount === 0)

/** Invariants after every round, also an interrupted one. */
async function audit(): Promise<void> {
  const events = await all(sql<Event>`select * from audit_events where entity = 'invoice' order by id`)
  for (const { before, after } of events)
    if (before && before.status !== after.status)
      expect({ from: before.status, to: after.status, allowed: isPossibleMove(before.status, after) }).toMatchObject({
        allowed: true,
      })
  const invoices = await all(
    sql<{
      id: number
      status: string
      outstanding_amount: number
      original_amount: number
      lines: number
      deductions: number
      open: number
    }>`
      select i.*, (select coalesce(sum(original_amount), 0)::bigint from invoice_lines where invoice_id = i.id) as lines,
        (select count(*) from deductions where invoice_id = i.id) as deductions,
        (select count(*) from ach_debits where invoice_id = i.id and state in ('SCHEDULED', 'SUBMITTED')) as open from invoices i`,
  )
  const entries = await all(sql<{ invoice_id: number; kind: 'PAYMENT'; amount: number }>`select * from ledger_entries`)
  const byInvoice = Map.groupBy(entries, (entry) => entry.invoice_id)
  for (const invoice of invoices) {
    const totals = totalsOf(byInvoice.get(invoice.id) ?? [])
    expect(identityHolds(totals)).toBe(true)
    expect(totals.outstanding_amount).toBe(invoice.outstanding_amount)
    expect(invoice.lines).toBe(invoice.original_amount)
    expect(invoice.deductions).toBe(invoice.status === 'DRAFT' ? 0 : 1)
    expect({ ...invoice, open: invoice.open }).toMatchObject({
      open: ['SCHEDULED', 'PROCESSING'].includes(invoice.status) ? 1 : 0,
    })
  }
  const waiting = await one(
    sql<{ sum: number }>`select coalesce(sum(amount - absorbed_amount), 0)::bigint as sum from credits where state = 'WAITING'`,
  )
  expect(waitingCredit(entries)).toBe(waiting.sum)
}

describe('one invoice', () => {
  const today = '2026-01-07'
  const dates = {
    periodStart: '2025-12-29',
    periodEnd: '2026-01-04',
    issueDate: '2026-01-05',
    reportDate: '2026-01-06',
    dueDate: '2026-01-09',
  }
  let employerId: number
  let organizationId: number
  let account: { id: number }

  beforeEach(async () => {
    await setToday(today)
    const company = await createCompany(database.db, 'Clock')
    employerId = company.employerIds[0] as number
    account = await createBillingAccount(database.db, { organizationId: company.organizationId })
    organizationId = company.organizationId
  })

  test('[INV-001] [INV-002] on its report date a draft enters the deduction file, and the next drafts are created', async () => {
    const { id } = await createInvoice(database.db, { employerId, status: 'DRAFT', ...dates })
    expect(await moveInvoices(database, { processor: null })).toMatchObject({ reported: 1, drafted: 2, failed: 0 })
    expect(await statusOf(id)).toBe('ON_DEDUCTION_FILE')
    const drafts = await all(sql<{ period_start: string; period_end: string; report_date: string; due_date: string }>`
      select period_start, period_end, report_date, due_date from invoices where status = 'DRAFT' order by id`)
    expect(drafts).toEqual([
      { period_start: '2026-01-05', period_end: '2026-01-11', report_date: '2026-01-13', due_date: '2026-01-20' },
      { period_start: '2026-01-12', period_end: '2026-01-18', report_date: '2026-01-21', due_date: '2026-01-26' },
    ])
    expect(await moveInvoices(database, { processor: null })).toMatchObject({ reported: 0, drafted: 0 })
    await audit()
  })

  test('[DED-006] it is auto-approved where configured, but not while a write-off is pending', async () => {
    const made = await createInvoice(database.db, { employerId, status: 'ON_DEDUCTION_FILE', autoApprove: true, ...dates })
    const writeOffId = await createWriteOff(database.db, {
      invoiceId: made.id,
      lineId: made.lineIds[0] as number,
      amount: 1_000,
    })
    expect(await moveInvoices(database, { processor: null })).toMatchObject({ approved: 0, failed: 0 })
    await sql`update write_offs set status = 'REJECTED', decided_at = now() where id > 0`.execute(database.db)
    expect(writeOffId).toBeTruthy()
    expect(await moveInvoices(database, { processor: null })).toMatchObject({ approved: 1, sent: 1 })
    expect(await statusOf(made.id)).toBe('SENT')
    const by = await one(sql<{ approved_by: string }>`select approved_by from deductions`)
    expect(by.approved_by).toBe('service')
  })

  test('[INV-004] [INV-006] [REP-004] [REP-005] a debit is scheduled, submitted on a banking day, settles, and pays', async () => {
    const { id } = await createInvoice(database.db, {
      employerId,
      status: 'DEDUCTION_APPROVED',
      paymentMethod: 'AUTO_ACH',
      ...dates,
    })
    expect(await moveInvoices(database, { processor: bank() })).toMatchObject({ scheduled: 1, submitted: 0 })
    await setToday('2026-01-10') // a Saturday
    expect(await moveInvoices(database, { processor: bank() })).toMatchObject({ submitted: 0 })
    await setToday('2026-01-12')
    expect(await moveInvoices(database, { processor: bank() })).toMatchObject({ submitted: 1, settled: 0 })
    expect(await statusOf(id)).toBe('PROCESSING')
    expect(await one(sql`select ach_state, reconciliation_status from repayments`)).toEqual({
      ach_state: 'PENDING',
      reconciliation_status: 'PENDING',
    })
    await setToday('2026-01-13')
    expect(await moveInvoices(database, { processor: bank() })).toMatchObject({ settled: 1 })
    expect(await statusOf(id)).toBe('CLOSED')
    expect(await one(sql`select ach_state, reconciliation_status from repayments`)).toEqual({
      ach_state: 'COMPLETED',
      reconciliation_status: 'RECONCILED',
    })
    await audit()
  })

  test('[INV-004] [INV-006] a debit whose account was deleted waits for another one, says so, and then names it', async () => {
    const { id } = await createInvoice(database.db, {
      employerId,
      status: 'SCHEDULED',
      paymentMethod: 'AUTO_ACH',
      ...dates,
      dueDate: today,
    })
    await sql`update ach_debits set debit_date = ${today} where invoice_id = ${id}`.execute(database.db)
    await sql`update billing_accounts set status = 'DELETED' where id = ${account.id}`.execute(database.db)
    const orders = bankOf(database.db)
    expect(await orders.round()).toMatchObject({ submitted: 0, failed: 0 })
    expect(await statusOf(id)).toBe('SCHEDULED')
    expect(await all(sql`select from repayments`)).toEqual([])
    await countFigures(database.db)
    expect(
      await one(
        sql`select count, amount from dashboard_figures where measure = 'debits-without-account' and company_type = 'ALL'`,
      ),
    ).toEqual({ count: 1, amount: 100_00 })
    await createBillingAccount(database.db, { organizationId, accountNumber: '000000001111' })
    await createBillingAccount(database.db, { organizationId, employerIds: [employerId], accountNumber: '000000002222' })
    expect(await orders.round()).toMatchObject({ submitted: 1 })
    expect(orders.debits).toMatchObject([{ amount: 100_00, account_number: '000000002222', routing_number: '121000248' }])
    expect(await one(sql`select account_number from repayments`)).toEqual({ account_number: '000000002222' })
    await audit()
  })

  test.each([
    ['INV-008', 'R01', 1, 'RETURNED'],
    ['INV-009', 'R09', 0.4, 'PROCESSING'],
  ])('[%s] a debit returned as %s, this share of it: %d', async (_, code, share, status) => {
    const { id } = await createInvoice(database.db, {
      employerId,
      status: 'DEDUCTION_APPROVED',
      paymentMethod: 'AUTO_ACH',
      ...dates,
      dueDate: today,
    })
    const processor = bank(code, share)
    expect(await moveInvoices(database, { processor })).toMatchObject({ scheduled: 1, submitted: 1 })
    await setToday('2026-01-08')
    expect(await moveInvoices(database, { processor })).toMatchObject({ returned: 1, failed: 0 })
    if (status === 'PROCESSING') {
      // The rest is in flight, and settles a day later.
      await sql`insert into ach_results (trace_number, code, amount, effective_date)
        select trace_number, 'SETTLED', amount, '2026-01-09' from ach_debits`.execute(database.db)
      await setToday('2026-01-09')
      await moveInvoices(database, { processor })
      expect(await statusOf(id)).toBe('PARTIALLY_RETURNED')
    } else expect(await statusOf(id)).toBe(status)
    await audit()
  })

  test('[INV-004] without a processor debits wait', async () => {
    const { id } = await createInvoice(database.db, {
      employerId,
      status: 'DEDUCTION_APPROVED',
      paymentMethod: 'AUTO_ACH',
      ...dates,
      dueDate: today,
    })
    expect(await moveInvoices(database)).toMatchObject({ scheduled: 1, submitted: 0 })
    expect(await statusOf(id)).toBe('SCHEDULED')
  })

  test('[INV-005] an invoice that cannot be moved does not block others', async () => {
    const first = await createInvoice(database.db, { employerId, status: 'DEDUCTION_APPROVED', ...dates })
    const second = await createInvoice(database.db, { employerId, status: 'DEDUCTION_APPROVED', ...dates })
    await sql`create function break_one() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`.execute(
      database.owner,
    )
    await sql
      .raw(
        `create trigger break_one before update on invoices for each row when (old.id = ${first.id}) execute function break_one()`,
      )
      .execute(database.owner)
    const reported: unknown[] = []
    expect(await moveInvoices(database, { processor: null, report: (error) => reported.push(error) })).toMatchObject({
      sent: 1,
      failed: 1,
    })
    expect(reported).toHaveLength(1)
    expect(await statusOf(second.id)).toBe('SENT')
  })
})

describe('a company', () => {
  const first = '2026-01-07'
  const days = Array.from({ length: 31 }, (_, at) =>
    new Date(Date.parse(first) + (at + 1) * 86_400_000).toISOString().slice(0, 10),
  )

  beforeEach(async () => {
    await setToday(first)
    await seedDemo(database.owner, { employees: 1_000, today: first })
    await sql`update lms_configurations set payment_method = 'AUTO_ACH' where id % 2 = 1`.execute(database.db)
    await sql`update invoices set auto_approve_ewa_file = id % 3 > 0, payment_method = case id % 2 when 0 then 'SELF_PAY' else 'AUTO_ACH' end
      where status = 'DRAFT'`.execute(database.db)
  })

  test('[INV-018] [CONST-009] runs for a month by defined transitions only, with every cent accounted for', async () => {
    expect(Object.values(await moveInvoices(database)).reduce((sum, count) => sum + count, 0)).toBe(0)
    const done = { reported: 0, approved: 0, sent: 0, scheduled: 0, submitted: 0, settled: 0, returned: 0, drafted: 0, failed: 0 }
    for (const day of days) {
      await setToday(day)
      const summary = await moveInvoices(database)
      for (const name of Object.keys(done) as (keyof typeof done)[]) done[name] += summary[name]
    }
    expect(done).toMatchObject({ failed: 0 })
    for (const name of ['reported', 'approved', 'sent', 'scheduled', 'submitted', 'settled', 'drafted'] as const)
      expect(done[name]).toBeGreaterThan(0)
    await audit()
    // A department without a billed line has no next invoice, only the remainder invoice.
    const missing = await one(sql<{ count: number }>`select count(*) as count from (
      select employer_id, company_code, department_code from invoices i join employers e on e.id = employer_id where e.status = 'ACTIVE'
      group by 1, 2, 3 having max(period_end) < business_date()) last
      where not exists (select from invoices i join invoices rest using (employer_id, company_code, period_start)
        where (i.employer_id, i.company_code, i.department_code) = (last.employer_id, last.company_code, last.department_code)
          and i.original_amount = 0 and rest.department_code is null)`)
    expect(missing.count).toBe(0)
  })

  test('[INV-004] two concurrent processes do everything once', async () => {
    await setToday(days[12] as string)
    const [one_, other] = await Promise.all([moveInvoices(database), moveInvoices(database)])
    expect(one_.reported + other.reported).toBeGreaterThan(0)
    expect(one_.failed + other.failed).toBe(0)
    await audit()
    const twice = await all(sql`select company_code, department_code, period_start from invoices
      group by employer_id, company_code, department_code, period_start having count(*) > 1`)
    expect(twice).toEqual([])
  })

  test('[INV-004] a process killed in the middle leaves nothing half done, and the next one continues', async () => {
    await setToday(days[12] as string)
    const child = fork('tests/support/clock-process.ts', [database.url], { stdio: 'ignore' })
    for (;;) {
      const { count } = await one(
        sql<{
          count: number
        }>`select count(*) as count from invoices where status = 'ON_DEDUCTION_FILE' and report_date > ${first}`,
      )
      if (count >= 2) break
    }
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    await audit()
    const summary = await moveInvoices(database)
    expect(summary.failed).toBe(0)
    expect(summary.reported).toBeGreaterThan(0)
    await audit()
    expect(Object.values(await moveInvoices(database)).reduce((sum, count) => sum + count, 0)).toBe(0)
  })

  test('[INV-021] a cancelled round stops between two invoices', async () => {
    await setToday(days[12] as string)
    let left = 4
    await moveInvoices(database, { processor: simulator, leaving: () => left-- <= 0 })
    await audit()
    expect((await moveInvoices(database)).reported).toBeGreaterThan(0)
  })
})
