import { z } from 'zod'
import { invoiceStatuses } from '#domain/invoice.ts'
import { all } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'
import { dateSchema, idSchema } from '#contract/fields.ts'
import { choiceFilter, dateFilter, filterParams, yesNoFilter } from '#contract/filter.ts'
import { InvoiceLine } from '#contract/invoice-lines.ts'
import { Count, lek, listQuery } from '#contract/list.ts'

/** An employee's share of an invoice: only the line of this employee, without what others on the invoice owe. */
export const EmployeeInvoice = z.object({
  invoice_id: z.int(),
  number: z.string(),
  status: z.enum(invoiceStatuses.values),
  /** The billed employer; may differ from the employee's current one after a move. */
  employer: z.object({ id: z.int(), name: z.string() }),
  period_start: dateSchema,
  period_end: dateSchema,
  report_date: dateSchema,
  due_date: dateSchema,
  line: InvoiceLine,
})
export type EmployeeInvoice = z.infer<typeof EmployeeInvoice>

export const employeeInvoiceFilters = [
  choiceFilter({ id: 'status', title: 'Status', of: invoiceStatuses }),
  dateFilter('due', 'Due date'),
  yesNoFilter('withheld', 'Withheld'),
  yesNoFilter('write_offs', 'Write-off to decide', 'pending-write-offs'),
] as const

export const employeeInvoiceSorts = ['id', 'status', 'due_date', 'original_amount'] as const

const filtered = { q: listQuery.q, ...filterParams(employeeInvoiceFilters) }
const needs = all('read:billing', 'read:employees')

const call = { tag: 'Employees', needs, method: 'GET' } as const

export const listEmployeeInvoices = endpoint({
  ...call,
  path: '/employees/{id}/invoices',
  summary: "An employee's share of each invoice",
  query: z.object({ ...listQuery, ...filtered, sort: z.enum(employeeInvoiceSorts).default('id') }),
  answer: z.object({ data: z.array(EmployeeInvoice), lek }),
  extension: true,
})

/** Number of an employee's invoices for a filter, and the total of the shares; cents. */
export const countEmployeeInvoices = endpoint({
  ...call,
  path: '/employees/{id}/invoices/count',
  summary: "How many of an employee's invoices a filter has, and what the shares come to",
  query: z.object(filtered),
  answer: Count.extend({
    totals: z.object({ original_amount: z.int(), withheld_amount: z.int() }),
  }),
  extension: true,
})

/** An employee's share of the invoices of one work period. */
export const listBalanceInvoices = endpoint({
  ...call,
  path: '/employees/{id}/work-period-balances/{wpbId}/invoice-details',
  summary: 'The invoices that a work period balance of an employee is on',
  params: z.object({ id: idSchema, wpbId: idSchema }),
  answer: z.object({ data: z.array(EmployeeInvoice) }),
})
