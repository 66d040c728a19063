import {
  countDeductions,
  Deduction,
  deductionFilters,
  getDeduction,
  listDeductionEvents,
  listDeductions,
} from '#contract/deductions.ts'
import { deductionStatuses } from '#domain/deduction.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'
import { formatCents } from '#domain/money.ts'
import { isolated } from '#domain/text.ts'

/** The amounts that an employer has to withhold for one invoice. */
export const deduction = defineEntity<Deduction>({
  name: 'deduction',
  one: 'deduction',
  many: 'deductions',
  icon: 'deduction',
  // Its number is never written without a prefix: a bare number is an employee or an invoice.
  ids: numbers({ prefix: 'DED' }),
  path: '/deductions',
  schema: Deduction,
  get: getDeduction,
  list: listDeductions,
  count: countDeductions,
  events: listDeductionEvents,
  query: {},
  rows: (answer: { deductions: Deduction[] }) => answer.deductions,
  filters: deductionFilters,
  orders: { date: 'report_date' },
  pane: true,
  tabs: { employees: 'Employees', file: 'File', history: 'History' },
  id: (one) => String(one.id),
  title: (one) => `Deduction of ${one.invoice_number}`,
  subtitle: (one) => [isolated(one.employer.name), one.employer.code].join(' · '),
  status: { of: (one) => one.status, states: deductionStatuses },
  figure: (one) => formatCents(one.amount),
  version: (one) => one.version,
  keywords: (one) => [one.invoice_number, one.employer.name],
  confirmWith: (one) => one.invoice_number,
})
