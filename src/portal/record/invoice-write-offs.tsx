import type { Invoice } from '#contract/invoices.ts'
import { listInvoiceWriteOffs, type WriteOff } from '#contract/write-offs.ts'
import { writeOffReasonLabels } from '#domain/write-off.ts'
import { writeOff } from '#entities/write-off.ts'
import { shortDate } from '#portal/ui/dates.ts'
import { amountText } from '#portal/panes/money.ts'
import { RowTable, type TableColumn } from '#portal/record/row-table.tsx'
import { ThingLink } from '#portal/record/thing-link.tsx'
import { type RowsOf, useRows } from '#portal/record/use-rows.ts'
import { Status } from '#portal/ui/status.tsx'

const writeOffsOf: RowsOf<WriteOff> = {
  endpoint: listInvoiceWriteOffs,
  rows: (answer: { write_offs: WriteOff[] }) => answer.write_offs,
  paged: false,
  problem: 'The write-offs of this invoice could not be loaded.',
}

const columns: readonly TableColumn<WriteOff>[] = [
  {
    title: 'Employee',
    cell: (one) => (
      <>
        <ThingLink entity={writeOff} id={one.id}>
          {one.employee_name}
        </ThingLink>
        <small>{writeOffReasonLabels[one.reason]}</small>
      </>
    ),
  },
  { title: 'Status', cell: (one) => <Status status={one.status} /> },
  {
    title: 'Suggested by',
    cell: (one) => (
      <>
        {one.suggested_by.name}
        <small>{shortDate(one.suggested_at)}</small>
      </>
    ),
  },
  { title: 'Suggested', right: true, cell: (one) => amountText(one.suggested_amount) },
  { title: 'Approved', right: true, cell: (one) => amountText(one.approved_amount) },
]

/** The tab Write-offs of an invoice. */
export function InvoiceWriteOffs({ one }: { one: Invoice }) {
  const of = useRows(writeOffsOf, String(one.id), one.version)
  return (
    <RowTable
      label="Write-offs of the invoice"
      of={of}
      columns={columns}
      idOf={(each) => each.id}
      none="No write-off was suggested."
    />
  )
}
