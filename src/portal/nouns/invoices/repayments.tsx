import type { Invoice } from '#contract/invoices.ts'
import type { Repayment } from '#contract/repayments.ts'
import { invoice } from '#entities/invoice.ts'
import { repayment } from '#entities/repayment.ts'
import type { Column } from '#portal/list/pane.ts'
import { amounts } from '#portal/nouns/columns.tsx'
import repayments from '#portal/nouns/repayments/list.tsx'
import { narrowed, tabList } from '#portal/record/tab-list.tsx'
import { Amount } from '#portal/ui/amount.tsx'

/** The part of a repayment allocated to this invoice, in cents. */
const share = (one: Repayment, invoiceId: number): number =>
  one.allocations.filter((part) => part.invoice_id === invoiceId).reduce((sum, part) => sum + part.amount, 0)

const forInvoice = (id: number): Column<Repayment> =>
  amounts('share', 'For this invoice', (one) => share(one, id), {
    keep: 3,
    width: [112, 0.6],
    draw: (one) => <Amount cents={share(one, id)} />,
  })

/** The tab Repayments of an invoice: everything paid towards it, or returned. */
export const InvoiceRepayments = tabList<Invoice>({
  of: invoice,
  tab: 'repayments',
  rows: repayment,
  list: (one) =>
    narrowed(
      repayments,
      { 'invoice-id': String(one.id) },
      { columns: [forInvoice(one.id)], shown: ['reference', 'status', 'date', 'amount', 'share'], none: 'Nothing was paid yet.' },
    ),
})
