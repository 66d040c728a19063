import type { QueryOf } from '#contract/define.ts'
import { confirmationFlowLabels, type Invoice, listInvoices, paymentMethodLabels } from '#contract/invoices.ts'
import { derivedStates, invoiceStatuses } from '#domain/invoice.ts'
import { yesNo } from '#domain/text.ts'
import { type ExportKind, pageSize, parseFilter, scanAll } from '#server/jobs/export-kind.ts'
import { pageOfInvoices, totalsOfInvoices } from '#server/tables/invoice-list.ts'
import { toInvoice } from '#server/tables/invoices.ts'

export const kind: ExportKind<Invoice, QueryOf<typeof listInvoices>> = {
  needs: listInvoices.needs,
  whose: (row) => ({ debtor_type: 'EMPLOYER', debtor_id: row.employer.id }),
  columns: [
    { title: 'Invoice', value: (row) => row.number },
    { title: 'Status', value: (row) => invoiceStatuses.label(row.status) },
    { title: 'Also', value: (row) => row.derived.map(derivedStates.label).join(', ') },
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
  parse: (filter) => parseFilter(listInvoices.query, filter),
  count: async (tx, actor, query) => (await totalsOfInvoices(tx, actor, query)).count,
  pages: (tx, actor, query) =>
    scanAll(async (from) => {
      const { rows, next } = await pageOfInvoices(tx, actor, { ...query, limit: pageSize, direction: 'after' }, from)
      return { rows: rows.map(toInvoice), next }
    }),
}
