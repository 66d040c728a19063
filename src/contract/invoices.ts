import { z } from 'zod'
import { debitStates } from '#domain/ach.ts'
import { derivedStates, invoiceStatuses } from '#domain/invoice.ts'
import { all } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'
import { dateSchema, decimal, idSchema, nothing, stamps } from '#contract/fields.ts'
import {
  orOneOf,
  amountFilter,
  choiceFilter,
  dateFilter,
  filterParams,
  referenceFilter,
  textFilter,
  yesNoFilter,
} from '#contract/filter.ts'
import { Actor, historyOf } from '#contract/history.ts'
import { Count, commaList, lek, listQuery } from '#contract/list.ts'
import { listings } from '#contract/listings.ts'

export const paymentMethods = ['AUTO_ACH', 'SELF_PAY'] as const
export const paymentMethodLabels = { AUTO_ACH: 'ACH auto', SELF_PAY: 'Self Pay' }
export const confirmationFlows = ['NONE', 'SINGLE', 'MULTIPLE'] as const
export const confirmationFlowLabels = { NONE: 'None', SINGLE: 'Single', MULTIPLE: 'Multiple' }
export const debtorTypes = ['EMPLOYER', 'ORGANIZATION'] as const

/** An invoice as returned by the API; all amounts in cents, all dates `yyyy-MM-dd` in the business time zone. */
export const Invoice = z.object({
  id: z.int(),
  /** `INV-` and the id. */
  number: z.string(),
  status: z.enum(invoiceStatuses.values),
  /** Derived from amounts and dates as of `as_of` (docs/rules/invoices.md). */
  derived: z.array(z.enum(derivedStates.values)),
  company_code: z.string(),
  department_code: z.string().nullable(),
  payment_method: z.enum(paymentMethods),
  period_start: dateSchema,
  period_end: dateSchema,
  issue_date: dateSchema,
  report_date: dateSchema,
  due_date: dateSchema,
  days_past_due: z.int().min(0),
  original_amount: z.int(),
  invoice_amount: z.int(),
  paid_amount: z.int(),
  /** Credit from another invoice. */
  rollover_amount: z.int(),
  /** Overpaid money that rolled over to another invoice; it lowers the paid amount. */
  rollover_out_amount: z.int(),
  writeoff_amount: z.int(),
  outstanding_amount: z.int(),
  /**
   * Submitted by debits and not answered by the bank, including returns that a person recorded and the bank has not confirmed.
   * It is not debited or allocated a second time.
   */
  in_flight_amount: z.int(),
  /** The part of it that neither the bank nor a person has answered: the invoice waits for it. */
  unanswered_amount: z.int(),
  confirmation_flow: z.enum(confirmationFlows),
  auto_approve_ewa_file: z.boolean(),
  has_notes: z.boolean(),
  debtor_type: z.enum(debtorTypes),
  debtor_id: z.int(),
  debtor_name: z.string(),
  /** A payment of this debtor was returned after its credit was used; only for callers with access to the debtor. */
  debtor_flagged: z.boolean(),
  employer: z.object({ id: z.int(), name: z.string(), code: z.string(), status: z.string() }),
  organization: z.object({ id: z.int(), name: z.string() }),
  deduction_id: z.int().nullable(),
  pending_write_offs: z.int(),
  /** Active bank accounts of the debtor: with several, money cannot be paid back. Null without access to the debtor. */
  active_account_count: z.int().nullable(),
  /** Basis points; null if not configured, which disables the rollover. */
  allowed_rollover_percentage: z.int().nullable(),
  /** Banking days before the due date on which a debit goes to the bank. */
  ach_processing_days: z.int(),
  /** Total rolled over so far: all rollovers together stay within the percentage. */
  rolled_over_amount: z.int(),
  /** Credit that rolled out of it is part of an invoice past DRAFT. */
  credit_used: z.boolean(),
  /** Who closed it manually; null if it closed automatically, or is not closed. */
  closed_by: Actor.nullable(),
  /** The last debit by the payment processor that was not cancelled; else the last one. */
  ach: z
    .object({
      state: z.enum(debitStates.values),
      amount: z.int(),
      /** Maximum amount of a retry; null for a first debit, which takes everything outstanding. */
      most_amount: z.int().nullable(),
      debit_date: dateSchema,
      first_debit_date: dateSchema,
      return_code: z.string().nullable(),
      retries: z.int(),
      /** The repayment of the debit; null before it is submitted, and without access to the debtor. */
      repayment_id: z.int().nullable(),
      /** Number of debits of the invoice that were not returned in full. */
      standing: z.int(),
    })
    .nullable(),
  /** The waiting or completed refund. */
  refund: z.object({ amount: z.int(), absorbed_amount: z.int(), state: z.enum(['WAITING', 'ABSORBED']) }).nullable(),
  /** The business date that days and derived states refer to. */
  as_of: dateSchema,
  ...stamps,
})
export type Invoice = z.infer<typeof Invoice>

/** An invoice's id as typed, `INV-40001` or `40001` (INV-027). */
export const invoiceIdSchema = z
  .string()
  .trim()
  .regex(/^(INV-)?[1-9]\d{0,14}$/i, 'An invoice id looks like INV-40001.')
  .transform((text) => Number(text.replace(/\D/g, '')))

/** Filters of the invoices list; a status is stored, or derived from amounts and dates. */
export const invoiceFilters = [
  choiceFilter({
    id: 'status',
    title: 'Status',
    values: [...invoiceStatuses.values, ...derivedStates.values],
    labels: { ...invoiceStatuses.labels, ...derivedStates.labels },
    overlapping: derivedStates.values,
  }),
  referenceFilter('organization', 'Organization', 'organization', 'organization-id'),
  referenceFilter('employer', 'Employer', 'employer', 'employer-id'),
  choiceFilter({
    id: 'payment_method',
    title: 'Payment method',
    values: paymentMethods,
    labels: paymentMethodLabels,
    param: 'payment-method',
  }),
  dateFilter('issued', 'Issue date'),
  dateFilter('reported', 'Report date'),
  dateFilter('due', 'Due date'),
  amountFilter('outstanding', 'Outstanding'),
  amountFilter('amount', 'Invoice amount'),
  yesNoFilter('notes', 'Has notes'),
  yesNoFilter('write_offs', 'Write-offs to decide', 'pending-write-offs'),
  yesNoFilter('refund', 'Refund without a next invoice', 'stranded-refund'),
  yesNoFilter('no_account', 'Debit without a bank account', 'debit-without-account'),
  yesNoFilter('flagged', 'Flagged debtor', 'debtor-flagged'),
  textFilter('number', 'Invoice id', 'number'),
  orOneOf(textFilter('company', 'Company code', 'company-code'), 'company-code'),
] as const

export const invoiceSorts = [
  'id',
  'status',
  'issue_date',
  'report_date',
  'due_date',
  'invoice_amount',
  'paid_amount',
  'outstanding_amount',
  'updated_at',
] as const

const filtered = {
  q: listQuery.q,
  id: commaList(invoiceIdSchema).optional(),
  'debtor-type': z.enum(debtorTypes).optional(),
  'debtor-id': idSchema.optional(),
  ...filterParams(invoiceFilters),
  /** Digits anywhere in the number, or its beginning with `INV-`. */
  number: z
    .string()
    .trim()
    .regex(/^(INV-)?\d{1,15}$/i, 'An invoice id looks like INV-40001.')
    .optional(),
}

/** Maximum page number. Offset pagination, as in the specification, is exact; use a cursor to go further. */
export const lastPage = 10_000
const paged = {
  page: decimal('A whole number from 0', 0).optional(),
  pageSize: decimal('A whole number from 1 to 200', 1, 200).default(20),
}

const listed = {
  ...listQuery,
  limit: listQuery.limit.unwrap().optional(),
  direction: listQuery.direction.unwrap().optional(),
  ...paged,
  sort: z.enum(invoiceSorts).default('id'),
}
const InvoicePage = z.object({ data: z.array(Invoice), page: z.int().nullable(), total_pages: z.int().nullable(), lek })

/**
 * Offset pagination (`page` from 0, `pageSize` 20) with `total_pages`; with `limit`, `lek` or `direction`, cursor pagination,
 * where `page` and `total_pages` are null.
 */
export const listInvoices = endpoint({
  ...listings.invoices,
  summary: 'Invoices, by page or by cursor',
  tag: 'Invoices',
  params: nothing,
  specified: ['page', 'pageSize', 'status', 'id'],
  query: z.object({ ...listed, ...filtered }),
  answer: InvoicePage,
})

const call = { tag: 'Invoices', needs: all('read:billing'), extension: true, method: 'GET' } as const

/** Number of invoices for a filter, and their totals (cents). */
export const countInvoices = endpoint({
  ...call,
  path: '/invoices/count',
  summary: 'How many invoices a filter has, and their totals',
  query: z.object(filtered),
  answer: Count.extend({
    totals: z.object({
      original_amount: z.int(),
      writeoff_amount: z.int(),
      rollover_amount: z.int(),
      rollover_out_amount: z.int(),
      invoice_amount: z.int(),
      paid_amount: z.int(),
      outstanding_amount: z.int(),
    }),
  }),
})

const { 'employer-id': _employer, 'organization-id': _organization, ...ofOneEmployer } = filtered

/** Paginated like `listInvoices`, newest first. */
export const listEmployerInvoices = endpoint({
  method: 'GET',
  path: '/employers/{id}/invoices',
  summary: 'The invoices of an employer, newest first, by page or by cursor',
  tag: 'Employers',
  specified: ['page', 'pageSize'],
  query: z.object({ ...listed, ...ofOneEmployer, 'sort-order': z.enum(['asc', 'desc']).default('desc') }),
  answer: InvoicePage,
  needs: all('read:billing'),
})

export const getInvoice = endpoint({
  ...call,
  path: '/invoices/{id}',
  summary: 'One invoice',
  answer: Invoice,
})

export const listInvoiceEvents = historyOf('/invoices/{id}/history', {
  summary: 'What happened to an invoice, newest first',
  tag: 'Invoices',
  needs: all('read:billing'),
  extension: true,
})

/** The next invoice of a debtor, which a rollover or a refund would use. */
const NextInvoice = z.object({
  id: z.int(),
  number: z.string(),
  status: z.enum(invoiceStatuses.values),
  due_date: dateSchema,
  invoice_amount: z.int(),
  rollover_amount: z.int(),
  outstanding_amount: z.int(),
  version: z.int(),
})

export const getOverpayment = endpoint({
  ...call,
  path: '/invoices/{id}/overpayment',
  summary: 'What can be done with overpaid money, and with which invoice',
  answer: z.object({
    overpaid_amount: z.int(),
    /** Maximum rollover (docs/rules/money.md). */
    rollover_limit: z.int(),
    refund_limit: z.int(),
    next_invoice: NextInvoice.nullable(),
  }),
})
export type Overpayment = z.infer<typeof getOverpayment.answer>

export const downloadInvoice = endpoint({
  ...call,
  path: '/invoices/{id}/download',
  summary: 'The invoice as a document that a customer may receive, or its lines as CSV',
  query: z.object({
    format: z.enum(['pdf', 'csv']).default('pdf'),
    /** Paper size of the PDF: US letter or A4. */
    paper: z.enum(['LETTER', 'A4']).default('LETTER'),
  }),
  answer: z.file().mime(['application/pdf', 'text/csv']),
})
