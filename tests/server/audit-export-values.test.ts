import { expect, test } from 'vitest'
import { kind } from '#server/jobs/exports/audit-events.ts'

const period = { end_date: '2026-11-08', start_date: '2026-11-02', report_date: '2026-11-10', payment_date: '2026-11-12' }

test.each([
  ['first_work_period', period, '2026-11-02 to 2026-11-08, report date 2026-11-10, payment date 2026-11-12'],
  ['pay_codes', ['REG', 'OT'], 'REG, OT'],
  ['withdraw_limit_dollars', 60_00, '$60.00'],
  ['withdraw_limit_percentage', 40_50, '40.5%'],
  ['transaction_fee', 299, '$2.99'],
  ['single_withdraw_amount_max', 300_00, '$300.00'],
  ['amount', 5_00, '$5.00'],
  ['daily_hours_limit', 12, '12'],
  ['split_invoices', true, 'true'],
  ['name', null, 'none'],
])('the audit export writes a %s of %j as %s', (field, after, words) => {
  const row = { changes: [{ field, before: null, after }] }
  const column = kind.columns.find(({ title }) => title === 'After')
  expect(column?.value(row as never)).toBe(`${field}: ${words}`)
})
