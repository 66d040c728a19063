import { type RawBuilder, sql } from 'kysely'
import { openAmountOf } from '#domain/ach.ts'
import type { Tx } from '#server/route.ts'
import type { InvoiceRow } from '#server/tables/invoices.ts'

/**
 * What debits of an invoice have submitted and the bank has not answered, as a column of cents; `alias` names the invoices.
 * A return that a person recorded is no answer of the bank: until the bank says the same, the money is still on its way.
 */
export const inFlightOf = (alias: string): RawBuilder<number> => sql<number>`coalesce((
  select sum(flying.amount + coalesce((select sum(back.amount) from repayments back
    where back.returns_id = flying.id and back.requester_id is null), 0))
  from ach_debits debit join repayments flying on flying.id = debit.repayment_id
  where debit.invoice_id = ${sql.ref(`${alias}.id`)} and flying.ach_state = 'PENDING'), 0)::bigint`

/** Cancels the debit of a locked invoice that is scheduled and not submitted yet, if there is one. */
export async function cancelDebit(tx: Tx, invoiceId: number): Promise<void> {
  await sql`update ach_debits set state = 'CANCELLED', updated_at = now()
    where invoice_id = ${invoiceId} and state = 'SCHEDULED'`.execute(tx)
}

/** Schedules a debit of what a locked invoice owes and is not on its way; `attempt` is 0 for the first, then the number of the retry. */
export async function scheduleDebit(
  tx: Tx,
  invoice: Pick<InvoiceRow, 'id' | 'outstanding_amount' | 'in_flight_amount'>,
  date: string,
  attempt: number,
): Promise<void> {
  await sql`insert into ach_debits (invoice_id, amount, debit_date, attempt)
    values (${invoice.id}, ${openAmountOf(invoice)}, ${date}, ${attempt})`.execute(tx)
}

/** The debit that a repayment is the money of; null for one that no debit made. */
export async function debitOf(tx: Tx, repaymentId: number): Promise<{ id: number; invoice_id: number } | null> {
  const { rows } = await sql<{ id: number; invoice_id: number }>`
    select id, invoice_id from ach_debits where repayment_id = ${repaymentId} order by id limit 1`.execute(tx)
  return rows[0] ?? null
}

/** Says that the debit of a repayment has settled; one that came back in part stays so. */
export async function settleDebit(tx: Tx, repaymentId: number, on: string): Promise<void> {
  await sql`update ach_debits set state = case state when 'SUBMITTED' then 'SETTLED' else state end, settled_on = ${on},
    updated_at = now() where repayment_id = ${repaymentId}`.execute(tx)
}

/** Says that the debit of a repayment came back, whole or in part, and why. */
export async function returnDebit(
  tx: Tx,
  repaymentId: number,
  state: 'RETURNED' | 'PARTIALLY_RETURNED',
  code: string,
): Promise<void> {
  await sql`update ach_debits set state = ${state}, return_code = ${code}, updated_at = now()
    where repayment_id = ${repaymentId}`.execute(tx)
}
