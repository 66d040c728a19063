import { useMemo } from 'react'
import { type Invoice, type LedgerEntry, listInvoiceLedger } from '#contract/invoices.ts'
import { formatCents } from '#domain/money.ts'
import { invoice } from '#entities/invoice.ts'
import { repayment } from '#entities/repayment.ts'
import { shortDate } from '#portal/ui/dates.ts'
import { effectOf, entryWords } from '#portal/record/ledger-words.ts'
import { RowTable, type TableColumn } from '#portal/record/row-table.tsx'
import { ThingLink } from '#portal/record/thing-link.tsx'
import { type RowsOf, useRows } from '#portal/record/use-rows.ts'
import { Amount } from '#portal/ui/amount.tsx'

const ledgerOf: RowsOf<LedgerEntry> = {
  endpoint: listInvoiceLedger,
  rows: (answer: { entries: LedgerEntry[] }) => answer.entries,
  paged: true,
  problem: 'The ledger of this invoice could not be loaded.',
}

interface Line extends LedgerEntry {
  /** What was outstanding after it; cents. */
  after: number
}

/** The entries with what was outstanding after each; they begin with the first. */
function withOutstanding(entries: readonly LedgerEntry[]): Line[] {
  let after = 0
  return entries.map((entry) => {
    after += effectOf(entry)
    return { ...entry, after }
  })
}

function Words({ entry }: { entry: LedgerEntry }) {
  const words = entryWords(entry)
  if (entry.repayment_id !== null && (entry.kind === 'PAYMENT' || entry.kind === 'RETURN'))
    return (
      <ThingLink entity={repayment} id={entry.repayment_id}>
        {words}
      </ThingLink>
    )
  if (entry.counter_invoice_id !== null)
    return (
      <ThingLink entity={invoice} id={entry.counter_invoice_id}>
        {words}
      </ThingLink>
    )
  return words
}

const columns: readonly TableColumn<Line>[] = [
  { title: 'Date', cell: (entry) => shortDate(entry.on_date) },
  {
    title: 'Entry',
    cell: (entry) => (
      <>
        <Words entry={entry} />
        <small>{entry.actor.name}</small>
      </>
    ),
  },
  { title: 'Amount', right: true, cell: (entry) => formatCents(effectOf(entry)) },
  { title: 'Outstanding', right: true, cell: (entry) => <Amount cents={entry.after} /> },
]

/** The tab Ledger of an invoice: every entry that it is the sum of, oldest first. */
export function InvoiceLedger({ one }: { one: Invoice }) {
  const of = useRows(ledgerOf, String(one.id), one.version)
  const rows = useMemo(() => of.rows && withOutstanding(of.rows), [of.rows])
  return (
    <RowTable
      label="Ledger of the invoice"
      of={{ ...of, rows }}
      columns={columns}
      idOf={(entry) => entry.id}
      none="The ledger has no entry yet."
    />
  )
}
