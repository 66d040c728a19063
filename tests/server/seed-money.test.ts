import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deductionStatuses } from '#domain/deduction.ts'
import { derivedStatesOf } from '#domain/invoice.ts'
import { mayMove } from '#domain/invoice-life.ts'
import { identityHolds, totalsOf, waitingCredit } from '#tests/support/ledger.ts'
import { reconciliationOf } from '#domain/repayment.ts'
import { writeOffStatuses } from '#domain/write-off.ts'
import { seedDemo } from '#server/seed/demo.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'

const size = { employees: 20_000, today: '2026-01-28' }
let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
  await seedDemo(database.owner, size)
})
afterAll(() => database.drop())

const all = async <T>(statement: ReturnType<typeof sql<T>>, from = database): Promise<T[]> =>
  (await statement.execute(from.db)).rows
const one = async <T>(statement: ReturnType<typeof sql<T>>, from = database): Promise<T> => (await all(statement, from))[0] as T

interface Row {
  id: number
  status: string
  original_amount: number
  writeoff_amount: number
  rollover_amount: number
  rollover_out_amount: number
  paid_amount: number
  invoice_amount: number
  outstanding_amount: number
  due_date: string
}

test.each([
  ['INV-001', 'DRAFT'],
  ['INV-002', 'ON_DEDUCTION_FILE'],
  ['INV-003', 'DEDUCTION_APPROVED'],
  ['INV-004', 'SCHEDULED'],
  ['INV-005', 'SENT'],
  ['INV-006', 'PROCESSING'],
  ['INV-007', 'CLOSED'],
  ['INV-008', 'RETURNED'],
  ['INV-009', 'PARTIALLY_RETURNED'],
  ['INV-010', 'REFUND_IN_PROGRESS'],
  ['INV-011', 'REFUNDED'],
])('[%s] there are invoices in the status %s', async (_, status) => {
  expect(
    (await one(sql<{ count: number }>`select count(*) as count from invoices where status = ${status}`)).count,
  ).toBeGreaterThan(0)
})

test('[CONST-009] amounts of every invoice equal its ledger, and the identity holds', async () => {
  const entries = await all(
    sql<{ invoice_id: number; kind: 'PAYMENT'; amount: number }>`select * from ledger_entries order by id`,
  )
  const byInvoice = Map.groupBy(entries, (entry) => entry.invoice_id)
  const invoices = await all(sql<Row>`select * from invoices`)
  expect(invoices.length).toBeGreaterThan(1_000)
  for (const invoice of invoices) {
    const totals = totalsOf(byInvoice.get(invoice.id) ?? [])
    expect(identityHolds(totals)).toBe(true)
    expect({ id: invoice.id, ...totals }).toEqual({
      id: invoice.id,
      original_amount: invoice.original_amount,
      writeoff_amount: invoice.writeoff_amount,
      rollover_in_amount: invoice.rollover_amount,
      rollover_out_amount: invoice.rollover_out_amount,
      paid_amount: invoice.paid_amount,
      invoice_amount: invoice.invoice_amount,
      outstanding_amount: invoice.outstanding_amount,
    })
  }
  const waiting = await one(
    sql<{ sum: number }>`select coalesce(sum(amount - absorbed_amount), 0)::bigint as sum from credits where state = 'WAITING'`,
  )
  expect(waiting.sum).toBeGreaterThan(0)
  expect(waitingCredit(entries)).toBe(waiting.sum)
})

test('[CONST-009] lines and their write-offs add up to their invoice', async () => {
  const wrong = await all(sql`
    select i.id from invoices i left join invoice_lines l on l.invoice_id = i.id
    group by i.id, i.original_amount, i.writeoff_amount
    having coalesce(sum(l.original_amount), 0) <> i.original_amount or coalesce(sum(l.writeoff_amount), 0) <> i.writeoff_amount`)
  expect(wrong).toEqual([])
})

test('[REP-001] [REP-002] [REP-003] repayments of every kind have the state of their money', async () => {
  const rows = await all(sql<{
    id: number
    returns_id: number | null
    amount: number
    allocated: number
    unallocated_amount: number
    reconciliation_status: 'PENDING'
    failure: string | null
    ach_state: string | null
    origin: string
    return_code: string | null
    requester_name: string | null
    bank_name: string | null
    posted: number
    returned: number
  }>`select r.*, coalesce((select sum(amount) from repayment_allocations where repayment_id = r.id), 0)::bigint as allocated,
      coalesce((select sum(case kind when 'RETURN' then -amount else amount end) from ledger_entries where repayment_id = r.id), 0)::bigint as posted,
      coalesce((select -sum(amount) from repayments back where back.returns_id = r.id), 0)::bigint as returned
    from repayments r`)
  for (const row of rows) {
    expect(row.allocated + row.unallocated_amount + row.returned).toBe(row.amount)
    // A return has the state of what it returns.
    const of = rows.find(({ id }) => id === row.returns_id) ?? row
    expect(row.reconciliation_status).toBe(reconciliationOf({ ...of, failed: of.failure !== null }))
    expect(row.posted).toBe(row.ach_state === 'PENDING' || row.failure === 'UNMATCHED' ? 0 : row.amount)
    expect(row.origin === 'USER' ? row.requester_name : row.bank_name).not.toBeNull()
  }
  expect(new Set(rows.map((row) => row.reconciliation_status)).size).toBe(3)
  expect(new Set(rows.map((row) => row.origin)).size).toBe(3)
  expect(new Set(rows.map((row) => row.failure))).toEqual(new Set([null, 'RETURNED', 'UNMATCHED']))
  expect(rows.some((row) => row.return_code === 'R01')).toBe(true)
  expect(rows.some((row) => row.origin === 'USER' && row.unallocated_amount > 0)).toBe(true)
})

test('[DED-001..004] deductions and write-offs in every state', async () => {
  const deductions = await all(sql<{ status: string }>`select distinct status from deductions`)
  expect(deductions.map((row) => row.status).sort()).toEqual([...deductionStatuses.values].sort())
  const without = await one(sql<{ count: number }>`select count(*) as count from invoices i where (status = 'DRAFT') = exists (
    select from deductions where invoice_id = i.id)`)
  expect(without.count).toBe(0)
  const writeOffs = await all(
    sql<{ status: string; by: string }>`select status, min(suggested_by_name) as by from write_offs group by 1`,
  )
  expect(writeOffs.map((row) => row.status).sort()).toEqual([...writeOffStatuses.values].sort())
  expect(writeOffs.find((row) => row.status === 'PENDING')?.by).toBe('Tom Berg')
})

test('[INV-013] [INV-014] [INV-015] overdue, overpaid and underpaid invoices exist', async () => {
  const invoices = await all(sql<Row & { status: 'SENT' }>`select * from invoices`)
  const states = invoices.flatMap((invoice) => derivedStatesOf(invoice, size.today))
  for (const state of ['OVERDUE', 'OVERPAID', 'UNDERPAID'])
    expect(states.filter((each) => each === state).length).toBeGreaterThan(5)
})

test('[INV-010] a refund of a cancelled employer has no target invoice, others have one', async () => {
  const waiting = await all(sql<{ status: string; next: number }>`
    select e.status, (select count(*) from invoices n where n.debtor_type = i.debtor_type and n.debtor_id = i.debtor_id
      and n.status in ('DRAFT', 'ON_DEDUCTION_FILE')) as next
    from credits c join invoices i on i.id = c.invoice_id join employers e on e.id = i.employer_id where c.state = 'WAITING'`)
  expect(waiting.some((row) => row.status === 'INACTIVE' && row.next === 0)).toBe(true)
  expect(waiting.every((row) => row.status === 'INACTIVE' || row.next > 0)).toBe(true)
})

test('[CONST-009] nothing happened after today, and no closed invoice is due automatically', async () => {
  const late = await one(sql<{ count: number }>`select count(*) as count from ledger_entries where on_date > ${size.today}::date`)
  expect(late.count).toBe(0)
  const open = await one(sql<{ count: number }>`
    select count(*) as count from invoices where status in ('SENT', 'SCHEDULED', 'RETURNED') and outstanding_amount <= 0`)
  expect(open.count).toBe(0)
  const drafts = await one(
    sql<{
      count: number
    }>`select count(*) as count from invoices where (status = 'DRAFT') <> (report_date > ${size.today}::date)`,
  )
  expect(drafts.count).toBe(0)
})

test('[INV-004] [INV-006] [INV-007] the history of an invoice reaches its status by defined transitions', async () => {
  const events = await all(sql<{
    entity_id: string
    before: { status: string } | null
    after: { status: string }
    status: string
    now: string
  }>`
    select e.*, i.status as now from audit_events e join invoices i on i.id = e.entity_id::bigint where entity = 'invoice' order by e.id`)
  for (const { before, after } of events)
    if (before && before.status !== after.status)
      expect({ from: before.status, to: after.status, allowed: mayMove(before.status, after.status) }).toMatchObject({
        allowed: true,
      })
  const last = new Map(events.map((event) => [event.entity_id, event]))
  expect(last.size).toBeGreaterThan(500)
  for (const { entity_id, after, now } of last.values())
    expect({ entity_id, status: after.status }).toEqual({ entity_id, status: now })
})

test('[ENT-121] routing numbers have a valid check digit, and a few debtors have several accounts', async () => {
  const accounts = await all(
    sql<{ routing_number: string; organization_id: number }>`select * from billing_accounts where status = 'ACTIVE'`,
  )
  for (const { routing_number } of accounts) {
    const sum = [...routing_number].reduce((total, digit, at) => total + Number(digit) * ([3, 7, 1][at % 3] as number), 0)
    expect(sum % 10).toBe(0)
  }
  const counts = [...Map.groupBy(accounts, (account) => account.organization_id).values()].map((group) => group.length)
  expect(Math.max(...counts)).toBeGreaterThan(1)
  expect(Math.min(...counts)).toBe(1)
})

test('[CONST-009] the requested number of invoices, the same ones every time', async () => {
  const wanted = { employees: 600, today: size.today, invoices: 5_000 }
  const sums: unknown[] = []
  for (let round = 0; round < 2; round += 1) {
    const other = await createDatabase()
    try {
      await seedDemo(other.owner, wanted)
      const found = await one(
        sql<{
          count: number
          sum: string
        }>`select count(*) as count, md5(string_agg(md5(invoices::text), '' order by id)) as sum from invoices`,
        other,
      )
      expect(found.count).toBe(wanted.invoices)
      const next = await one(sql<{ id: number }>`select nextval(pg_get_serial_sequence('invoices', 'id')) as id`, other)
      expect(next.id).toBe(40_001 + wanted.invoices)
      sums.push(found.sum)
    } finally {
      await other.drop()
    }
  }
  expect(sums[0]).toBe(sums[1])
})

test('[INV-016] exactly the Paid ones with something outstanding say who closed them', async () => {
  const closed = await all(sql<{ owes: boolean; closed_by_name: string | null; by: string | null }>`
    select i.outstanding_amount > 0 as owes, i.closed_by_name,
      (select e.actor_name from audit_events e where e.entity = 'invoice' and e.entity_id = i.id::text and e.intent = 'invoice.close'
        order by e.id desc limit 1) as by
    from invoices i where i.status = 'CLOSED'`)
  expect(closed.some(({ owes }) => owes)).toBe(true)
  for (const { owes, closed_by_name, by } of closed) {
    expect(closed_by_name !== null).toBe(owes)
    // Older ones have no history.
    if (by !== null) expect(closed_by_name).toBe(by)
  }
})
