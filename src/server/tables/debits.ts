import { sql } from 'kysely'
import type { Tx } from '#server/route.ts'
import type { InvoiceRow } from '#server/tables/invoices.ts'

/** Cancels the debit of a locked invoice that is scheduled and not submitted yet, if there is one. */
export async function cancelDebit(tx: Tx, invoiceId: number): Promise<void> {
  await sql`update ach_debits set state = 'CANCELLED', updated_at = now()
    where invoice_id = ${invoiceId} and state = 'SCHEDULED'`.execute(tx)
}

/** Schedules a debit of all that a locked invoice owes; `attempt` is 0 for the first, then the number of the retry. */
export async function scheduleDebit(
  tx: Tx,
  invoice: Pick<InvoiceRow, 'id' | 'outstanding_amount'>,
  date: string,
  attempt: number,
): Promise<void> {
  await sql`insert into ach_debits (invoice_id, amount, debit_date, attempt)
    values (${invoice.id}, ${invoice.outstanding_amount}, ${date}, ${attempt})`.execute(tx)
}
