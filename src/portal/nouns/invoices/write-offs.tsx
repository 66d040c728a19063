import type { Invoice } from '#contract/invoices.ts'
import { invoice } from '#entities/invoice.ts'
import { writeOff } from '#entities/write-off.ts'
import writeOffs from '#portal/nouns/write-offs/list.tsx'
import { narrowed, tabList } from '#portal/record/tab-list.tsx'

/** The tab Write-offs of an invoice. */
export const InvoiceWriteOffs = tabList<Invoice>({
  of: invoice,
  tab: 'write-offs',
  rows: writeOff,
  list: (one) => narrowed(writeOffs, { 'invoice-id': String(one.id) }, { none: 'No write-off was suggested.' }),
})
