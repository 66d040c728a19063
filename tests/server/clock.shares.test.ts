import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { moveInvoices, type Summary } from '#server/money/billing/clock.ts'
import { setToday } from '#tests/support/bank.ts'
import { createCompany } from '#tests/support/company.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createInvoice } from '#tests/support/money.ts'

const today = '2026-01-07'
const dates = {
  periodStart: '2025-12-29',
  periodEnd: '2026-01-04',
  issueDate: '2026-01-05',
  reportDate: '2026-01-06',
  dueDate: '2026-01-09',
}
const organizations = 40
const employers = 2 * organizations

let database: TestDatabase
beforeEach(async () => {
  database = await createDatabase()
  await setToday(database.db, today)
  for (let at = 0; at < organizations; at += 1)
    for (const employerId of (await createCompany(database.db, `Clock ${at}`, 2)).employerIds)
      await createInvoice(database.db, { employerId, status: 'DRAFT', ...dates })
})
afterEach(() => database.drop())

const reported = async (): Promise<number> =>
  (
    await sql<{ count: number }>`
      select count(*)::int as count from audit_events where entity = 'invoice' and intent = 'invoice.report'`.execute(database.db)
  ).rows[0]?.count as number

const startClock = (): ChildProcess => fork('tests/support/clock-process.ts', [database.url], { stdio: 'ignore' })

/** Every employer has its draft reported once, and one deduction and the drafts of two periods for it. */
async function expectAllDoneOnce(): Promise<void> {
  const { rows } = await sql`
    select count(*) filter (where i.status = 'ON_DEDUCTION_FILE')::int as reported, count(*) filter (where i.status = 'DRAFT')::int as drafts,
      (select count(*)::int from deductions d join invoices own on own.id = d.invoice_id where own.employer_id = e.id) as deductions,
      (select count(*)::int from audit_events a where a.intent = 'invoice.report' and a.entity = 'invoice'
        and a.entity_id in (select own.id::text from invoices own where own.employer_id = e.id)) as events
    from employers e join invoices i on i.employer_id = e.id group by e.id`.execute(database.db)
  expect(rows).toEqual(Array(employers).fill({ reported: 1, drafts: 2, deductions: 1, events: 1 }))
  expect(await auditMoney(database.db)).toEqual([])
  const last = await moveInvoices(database)
  expect(Object.values(last).reduce((sum, done) => sum + done, 0)).toBe(0)
}

test('[INV-004] processes that run the clock together share its work, and do everything once', async () => {
  const clocks = [startClock(), startClock()]
  const summaries = await Promise.all(clocks.map(async (clock) => ((await once(clock, 'message')) as [Summary])[0]))
  const counts = summaries.map((summary) => summary.reported)
  expect(counts.reduce((sum, count) => sum + count)).toBe(employers)
  expect(Math.min(...counts)).toBeGreaterThan(0)
  expect(summaries.map(({ failed }) => failed)).toEqual([0, 0])
  await expectAllDoneOnce()
})

test('[INV-004] after a process was killed in the middle of a round, the other one completes it', async () => {
  const [killed, other] = [startClock(), startClock()]
  const message = once(other, 'message') as Promise<[Summary]>
  await expect.poll(reported, { interval: 5 }).toBeGreaterThan(5)
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  const before = await reported()
  expect(before).toBeLessThan(employers)
  const [summary] = await message
  expect(summary.failed).toBe(0)
  expect(summary.reported).toBeGreaterThanOrEqual(employers - before)
  await expectAllDoneOnce()
})
