import type { Invoice } from '#contract/invoices.ts'
import { type LedgerEntry, listInvoiceLedger } from '#contract/invoice-ledger.ts'
import { effectOnOutstanding } from '#domain/ledger.ts'
import { invoice } from '#entities/invoice.ts'
import { repayment } from '#entities/repayment.ts'
import type { Column } from '#portal/list/pane.ts'
import { amounts, dates } from '#portal/nouns/columns.tsx'
import { entryWords } from '#portal/nouns/invoices/ledger-words.ts'
import { tabList } from '#portal/record/tab-list.tsx'
import { Amount } from '#portal/ui/amount.tsx'

const ledgerEntry = {
  name: 'ledger-entry',
  id: (entry: LedgerEntry) => String(entry.id),
  version: () => 0,
}

/** The repayment or other invoice of an entry. */
const leadsTo = ({ kind, repayment_id, counter_invoice_id }: LedgerEntry) => {
  if (repayment_id !== null && (kind === 'PAYMENT' || kind === 'RETURN')) return { entity: repayment, id: String(repayment_id) }
  return counter_invoice_id === null ? null : { entity: invoice, id: String(counter_invoice_id) }
}

const columns: readonly Column<LedgerEntry>[] = [
  {
    id: 'entry',
    title: 'Entry',
    width: [170, 1.8],
    long: true,
    keep: 3,
    text: entryWords,
    draw: (entry) => (
      <>
        <strong>{entryWords(entry)}</strong>
        <small>{entry.actor.name}</small>
      </>
    ),
  },
  dates('date', 'Date', (entry) => entry.on_date, { keep: 1 }),
  amounts('amount', 'Amount', effectOnOutstanding, { keep: 3 }),
  amounts('outstanding', 'Outstanding', (entry) => entry.outstanding_amount, {
    keep: 3,
    sum: false,
    draw: (entry) => <Amount cents={entry.outstanding_amount} />,
  }),
]

/** The tab Ledger of an invoice: all entries that sum up to its amounts, oldest first. */
export const InvoiceLedger = tabList<Invoice>({
  of: invoice,
  tab: 'ledger',
  rows: ledgerEntry,
  list: () => ({
    title: 'Ledger of the invoice',
    many: 'entries',
    columns,
    none: 'The ledger has no entry yet.',
    leadsTo,
    source: {
      endpoint: listInvoiceLedger,
      at: (id) => ({ id }),
      rows: (answer: { entries: LedgerEntry[] }) => answer.entries,
    },
  }),
})
