import {
  countEmployeeInvoices,
  type EmployeeInvoice,
  employeeInvoiceFilters,
  employeeInvoiceSorts,
  listEmployeeInvoices,
} from '#contract/employee-invoices.ts'
import type { Employee } from '#contract/employees.ts'
import { invoiceStatuses } from '#domain/invoice.ts'
import { employee } from '#entities/employee.ts'
import { invoice } from '#entities/invoice.ts'
import type { Column } from '#portal/list/pane.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { amounts, dates, plain, sortsOf, states } from '#portal/nouns/columns.tsx'
import { periodText } from '#portal/nouns/employees/pay.ts'
import { writtenOff } from '#portal/nouns/invoices/lines.tsx'
import { tabList } from '#portal/record/tab-list.tsx'

/** Status and share stay visible beside the list at 1024 pixels. */
export const shareColumns: readonly Column<EmployeeInvoice>[] = [
  {
    id: 'number',
    title: 'Invoice, pay period',
    width: [146, 1.4],
    long: true,
    sort: 'id',
    keep: 3,
    text: (one) => `${one.number}, ${periodText(one)}`,
    draw: (one) => (
      <>
        <strong>{one.number}</strong>
        <small>{periodText(one)}</small>
      </>
    ),
  },
  states('status', 'Status', 100, invoiceStatuses, (one) => one.status, {
    sort: 'status',
    keep: 2,
  }),
  plain('employer', 'Employer', 120, (one) => one.employer.name, { long: true }),
  plain('department', 'Department', 104, (one) => orDash(one.line.department_code), { long: true }),
  dates('reported', 'Report date', (one) => one.report_date),
  dates('due', 'Due date', (one) => one.due_date, { sort: 'due_date', width: [84, 0.5] }),
  amounts('share', 'Share', (one) => one.line.original_amount, { sort: 'original_amount', keep: 2, width: [72, 0.6] }),
  writtenOff((one) => one.line, { keep: 1, width: [78, 0.6] }),
  amounts('withheld', 'Withheld', (one) => one.line.withheld_amount, { keep: 3, width: [72, 0.6] }),
]

/** The tab Invoices of an employee (SCR-045): the employee's share of each. A row stands for its invoice. */
export const EmployeeInvoices = tabList<Employee>({
  of: employee,
  tab: 'invoices',
  rows: { name: 'employee-invoice', id: (one: EmployeeInvoice) => String(one.line.id), version: () => 0 },
  list: (one) => ({
    title: 'Invoices of the employee',
    many: 'invoices',
    columns: shareColumns,
    shown: ['number', 'status', 'due', 'share', 'write-off', 'withheld'],
    filters: employeeInvoiceFilters,
    sorts: sortsOf(employeeInvoiceSorts, shareColumns, { id: 'Number' }),
    newestFirst: true,
    searched: true,
    none: 'This employee is on no invoice.',
    source: {
      endpoint: listEmployeeInvoices,
      at: () => ({ id: String(one.id) }),
      rows: (answer: { data: EmployeeInvoice[] }) => answer.data,
      count: countEmployeeInvoices,
      totals: {
        from: countEmployeeInvoices,
        read: ({ totals }: { totals: Record<string, number> }) => [
          { title: 'share', cents: totals['original_amount'] ?? 0 },
          { title: 'withheld', cents: totals['withheld_amount'] ?? 0 },
        ],
      },
    },
    leadsTo: (row: EmployeeInvoice) => ({ entity: invoice, id: String(row.invoice_id) }),
    standsFor: invoice,
  }),
})
