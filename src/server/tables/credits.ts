import { sql } from 'kysely'
import type { Tx } from '#server/route.ts'
import { type InvoiceRow, readInvoices } from '#server/tables/invoices.ts'

/**
 * The debtor's next invoice, which takes in what rolls over or is refunded: the earliest in DRAFT or ON_DEDUCTION_FILE
 * other than this one, by due date, issue date, id; null where there is none. It is found whoever asks and is not locked.
 */
export async function nextInvoiceOf(
  tx: Tx,
  { id, debtor_type, debtor_id }: Pick<InvoiceRow, 'id' | 'debtor_type' | 'debtor_id'>,
): Promise<InvoiceRow | null> {
  const rows = await readInvoices(
    tx,
    sql`(select i.id, null as key from invoices i
      where i.debtor_type = ${debtor_type} and i.debtor_id = ${debtor_id} and i.id <> ${id}
        and i.status in ('DRAFT', 'ON_DEDUCTION_FILE')
      order by i.due_date, i.issue_date, i.id limit 1)`,
  )
  return rows[0] ?? null
}
