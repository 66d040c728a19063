import type { z } from 'zod'
import { countInvoices, getInvoice, Invoice, invoiceFilters, listInvoiceEvents, listInvoices } from '#contract/invoices.ts'
import { invoiceStatuses } from '#domain/invoice.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'
import { formatCents } from '#domain/money.ts'
import { isolated } from '#domain/text.ts'

/** What an employer or its organization owes for one pay period. */
export const invoice = defineEntity<Invoice>({
  name: 'invoice',
  one: 'invoice',
  many: 'invoices',
  aliases: ['bills', 'invs'],
  phrases: {
    'largest open invoices': [
      ...['who owes most', 'who owes the most', 'who owes us most', 'who owes us the most'],
      ...['largest debtors', 'biggest debtors', 'top debtors', 'largest debtor', 'biggest debtor', 'top debtor'],
    ],
    'send invoice': ['mail invoice', 'email invoice', 'e-mail invoice', 'resend invoice', 're-send invoice'],
    'send invoices': ['mail invoices', 'email invoices', 'e-mail invoices', 'resend invoices', 're-send invoices'],
    'oldest overdue': ['most overdue', 'longest overdue'],
    'invoices outstanding': [
      ...['invoices balance', 'invoices owing', 'invoices with balance', 'invoices with a balance'],
      ...['invoices with open balance', 'invoices with an open balance'],
    ],
  },
  instead: {
    'An invoice is not voided, cancelled or deleted. Close it, or suggest write-offs of its lines.': [
      ...['void invoice', 'delete invoice', 'remove invoice', 'cancel invoice'],
      ...['void inv', 'delete inv', 'remove inv', 'cancel inv'],
    ],
  },
  icon: 'invoice',
  ids: numbers({ prefix: 'INV', alone: true }),
  path: '/invoices',
  schema: Invoice,
  get: getInvoice,
  list: listInvoices,
  count: countInvoices,
  totals: {
    from: countInvoices,
    read: ({ totals }: z.infer<typeof countInvoices.answer>) => [
      { title: 'invoiced', cents: totals.invoice_amount },
      { title: 'paid', cents: totals.paid_amount },
      { title: 'outstanding', cents: totals.outstanding_amount },
    ],
  },
  events: listInvoiceEvents,
  query: {},
  rows: (answer: { data: Invoice[] }) => answer.data,
  filters: invoiceFilters,
  orders: { amount: 'outstanding_amount', date: 'due_date' },
  pane: true,
  tabs: { employees: 'Employees', repayments: 'Repayments', 'write-offs': 'Write-offs', ledger: 'Ledger', history: 'History' },
  id: (one) => String(one.id),
  title: (one) => one.number,
  subtitle: (one) => [isolated(one.employer.name), one.company_code].join(' · '),
  status: { of: (one) => one.status, states: invoiceStatuses },
  figure: ({ outstanding_amount: open, invoice_amount }) =>
    open > 0 ? `${formatCents(open)} outstanding` : open < 0 ? `${formatCents(-open)} overpaid` : formatCents(invoice_amount),
  version: (one) => one.version,
  keywords: (one) => [one.company_code, one.employer.name, one.employer.code, one.organization.name],
  confirmWith: (one) => one.number,
})
