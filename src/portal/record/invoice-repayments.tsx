import type { Invoice } from '#contract/invoices.ts'
import { listRepayments, type Repayment } from '#contract/repayments.ts'
import { originLabels } from '#domain/repayment.ts'
import { repayment } from '#entities/repayment.ts'
import { shortDate } from '#portal/ui/dates.ts'
import { RowTable, type TableColumn } from '#portal/record/row-table.tsx'
import { ThingLink } from '#portal/record/thing-link.tsx'
import { type RowsOf, useRows } from '#portal/record/use-rows.ts'
import { Amount } from '#portal/ui/amount.tsx'
import { Status } from '#portal/ui/status.tsx'

const repaymentsOf: RowsOf<Repayment> = {
  endpoint: listRepayments,
  rows: (answer: { repayments: Repayment[] }) => answer.repayments,
  paged: true,
  query: (id) => ({ 'invoice-id': id }),
  problem: 'Unable to load repayments',
}

/** What of a repayment is for this invoice; cents. */
const share = (one: Repayment, invoice: number): number =>
  one.allocations.filter((part) => part.invoice_id === invoice).reduce((sum, part) => sum + part.amount, 0)

const columns = (invoice: number): readonly TableColumn<Repayment>[] => [
  {
    title: 'Repayment',
    cell: (one) => (
      <>
        <ThingLink entity={repayment} id={one.id}>
          {one.reference_id}
        </ThingLink>
        <small>{[originLabels[one.origin], one.requester_name].filter(Boolean).join(' · ')}</small>
      </>
    ),
  },
  { title: 'Date', cell: (one) => shortDate(one.repayment_date) },
  { title: 'Reconciliation', cell: (one) => <Status status={one.reconciliation_status} /> },
  { title: 'Repayment amount', right: true, cell: (one) => <Amount cents={one.amount} /> },
  { title: 'For this invoice', right: true, cell: (one) => <Amount cents={share(one, invoice)} /> },
]

/** The tab Repayments of an invoice: whatever was paid towards it, or went back. */
export function InvoiceRepayments({ one }: { one: Invoice }) {
  const of = useRows(repaymentsOf, String(one.id), one.version)
  return (
    <RowTable
      label="Repayments of the invoice"
      of={of}
      columns={columns(one.id)}
      idOf={(each) => each.id}
      none="Nothing was paid yet."
    />
  )
}
