import { confirmationFlowLabels, type Invoice, listInvoices, paymentMethodLabels } from '#contract/invoices.ts'
import type { QueryOf } from '#contract/define.ts'
import { listRepayments, type Repayment } from '#contract/repayments.ts'
import { originLabels } from '#domain/repayment.ts'
import type { Need } from '#domain/permissions.ts'
import { labelOf } from '#domain/status.ts'
import type { CsvColumn } from '#server/documents/csv.ts'
import { invalid } from '#server/refused.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import type { Debtor, ExportName } from '#server/tables/exports.ts'
import { pageOfInvoices, totalsOfInvoices } from '#server/tables/invoice-list.ts'
import { toInvoice } from '#server/tables/invoices.ts'
import type { Position } from '#server/paging/keyset.ts'
import { countOfRepayments, pageOfRepayments } from '#server/tables/repayment-list.ts'
import { toRepayment } from '#server/tables/repayments.ts'

/** A list that can be written to a file. */
export interface ExportKind<Row, Query> {
  /** The permission of reading the list, asked when the export is made, carried out and fetched. */
  needs: Need<never>
  columns: readonly CsvColumn<Row>[]
  /** Whom a row belongs to: the file is given out only while all of them are open to the person. */
  whose: (row: Row) => Debtor
  /** The filter and the order of a list's address; 422 for what the list itself would refuse. */
  parse: (filter: Readonly<Record<string, unknown>>) => Query
  /** Null where nobody counted exactly. */
  count: (tx: Tx, actor: Actor, query: Query) => Promise<number | null>
  /** All rows inside the person's access in the list's order, page by page. */
  pages: (tx: Tx, actor: Actor, query: Query) => AsyncIterable<Row[]>
}

const pageSize = 1_000
/** What a list's address carries besides its filter and order. */
const notFilter = ['limit', 'direction', 'lek', 'page', 'pageSize']

type Schema = typeof listInvoices.query | typeof listRepayments.query

function parsed(schema: Schema, filter: Readonly<Record<string, unknown>>): unknown {
  const given = Object.fromEntries(Object.entries(filter).filter(([name]) => !notFilter.includes(name)))
  const read = schema.strict().safeParse(given)
  if (read.success) return read.data
  throw invalid(
    read.error.issues.map((issue) => ({
      path: ['filter', ...issue.path.map(String)].join('.'),
      message: issue.code === 'unrecognized_keys' ? `The list has no filter ${issue.keys.join(', ')}.` : issue.message,
    })),
  )
}

/** Walks a list by its cursor until its end. */
async function* scanned<Row>(page: (from: Position | null) => Promise<{ rows: Row[]; next: Position | null }>) {
  for (let from: Position | null = null; ; ) {
    const { rows, next } = await page(from)
    if (rows.length > 0) yield rows
    if (next === null) return
    from = next
  }
}

const yesNo = (value: boolean): string => (value ? 'Yes' : 'No')

const invoices: ExportKind<Invoice, QueryOf<typeof listInvoices>> = {
  needs: listInvoices.needs,
  whose: (row) => ({ debtor_type: 'EMPLOYER', debtor_id: row.employer.id }),
  columns: [
    { title: 'Invoice', value: (row) => row.number },
    { title: 'Status', value: (row) => labelOf(row.status) },
    { title: 'Also', value: (row) => row.derived.map(labelOf).join(', ') },
    { title: 'Company code', value: (row) => row.company_code },
    { title: 'Department', value: (row) => row.department_code },
    { title: 'Payment method', value: (row) => paymentMethodLabels[row.payment_method] },
    { title: 'Issue date', value: (row) => row.issue_date },
    { title: 'Report date', value: (row) => row.report_date },
    { title: 'Due date', value: (row) => row.due_date },
    { title: 'Days past due', value: (row) => String(row.days_past_due) },
    { title: 'Original amount', value: (row) => row.original_amount },
    { title: 'Invoice amount', value: (row) => row.invoice_amount },
    { title: 'Paid amount', value: (row) => row.paid_amount },
    { title: 'Rollover amount', value: (row) => row.rollover_amount },
    { title: 'Write-off amount', value: (row) => row.writeoff_amount },
    { title: 'Outstanding amount', value: (row) => row.outstanding_amount },
    { title: 'Organization', value: (row) => row.organization.name },
    { title: 'Employer', value: (row) => row.employer.name },
    { title: 'Employer code', value: (row) => row.employer.code },
    { title: 'Confirmation flow', value: (row) => confirmationFlowLabels[row.confirmation_flow] },
    { title: 'Auto approve EWA file', value: (row) => yesNo(row.auto_approve_ewa_file) },
    { title: 'Has notes', value: (row) => yesNo(row.has_notes) },
  ],
  parse: (filter) => parsed(listInvoices.query, filter) as QueryOf<typeof listInvoices>,
  count: async (tx, actor, query) => (await totalsOfInvoices(tx, actor, query)).count,
  pages: (tx, actor, query) =>
    scanned(async (from) => {
      const { rows, next } = await pageOfInvoices(tx, actor, { ...query, limit: pageSize, direction: 'after' }, from)
      return { rows: rows.map(toInvoice), next }
    }),
}

const repayments: ExportKind<Repayment, QueryOf<typeof listRepayments>> = {
  needs: listRepayments.needs,
  whose: (row) => ({ debtor_type: row.debtor_type, debtor_id: row.debtor_id }),
  columns: [
    { title: 'Repayment', value: (row) => row.reference_id },
    { title: 'Organization', value: (row) => row.organization.name },
    { title: 'Employer', value: (row) => row.employer?.name ?? null },
    { title: 'Department', value: (row) => row.department_code },
    { title: 'Amount', value: (row) => row.amount },
    { title: 'Unallocated amount', value: (row) => row.unallocated_amount },
    { title: 'Repayment date', value: (row) => row.repayment_date },
    { title: 'Effective date', value: (row) => row.effective_date },
    { title: 'Reconciliation', value: (row) => labelOf(row.reconciliation_status) },
    { title: 'ACH state', value: (row) => (row.ach_state ? labelOf(row.ach_state) : null) },
    { title: 'Origin', value: (row) => originLabels[row.origin] },
    { title: 'Requested by', value: (row) => row.requester_name },
    { title: 'Descriptor', value: (row) => row.descriptor },
    { title: 'ACH addenda', value: (row) => row.ach_addenda },
    { title: 'Return code', value: (row) => row.return_code },
    { title: 'Invoices', value: (row) => row.allocations.map((each) => each.number).join(', ') },
    { title: 'Notes', value: (row) => row.notes },
  ],
  parse: (filter) => parsed(listRepayments.query, filter) as QueryOf<typeof listRepayments>,
  count: async (tx, actor, query) => {
    const { limit, direction, lek, sort, 'sort-order': order, ...filter } = query
    const { count, exact } = await countOfRepayments(tx, actor, filter)
    return exact ? count : null
  },
  pages: (tx, actor, query) =>
    scanned(async (from) => {
      const { rows, next } = await pageOfRepayments(tx, actor, { ...query, limit: pageSize, direction: 'after' }, from)
      return { rows: rows.map(toRepayment), next }
    }),
}

/** Every kind of export by its name, where no row of its own is read. */
export const exportKindOf = (name: ExportName): ExportKind<unknown, unknown> =>
  ({ invoices, repayments })[name] as unknown as ExportKind<unknown, unknown>
