import { countInvoices } from '#contract/invoices.ts'
import { listed } from '#server/jobs/runnable.ts'
import { pageOfInvoices } from '#server/tables/invoice-list.ts'
import { numberOf } from '#server/tables/invoices.ts'

export const runnable = listed(
  countInvoices.needs,
  countInvoices.query,
  ({ tx, actor }, query, from) => pageOfInvoices(tx, actor, query, from),
  ({ id }: { id: number }) => numberOf(id),
)
