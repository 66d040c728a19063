import { type RawBuilder, sql } from 'kysely'
import { openAmountOf } from '#domain/ach.ts'
import type { Tx } from '#server/tables/database.ts'

/** Whether the bank has said what a return says; otherwise only a person has, who recorded it. */
export const saidByBank = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${alias}.requester_id`)} is null or ${sql.ref(`${alias}.bank_result_id`)} is not null)
    and ${sql.ref(`${alias}.failure`)} is null`

/**
 * What debits of an invoice have taken and the bank has not said to be back or to stay, as a column of cents; `alias` names the
 * invoices. A return that a person recorded is no answer of the bank, neither while the money is on its way nor after it has
 * settled: until the bank says the same, nothing of it is debited again (D94).
 */
export const inFlightOf = (alias: string): RawBuilder<number> => sql<number>`coalesce((
  select sum(case flying.ach_state
    when 'PENDING' then flying.amount + coalesce((select sum(back.amount) from repayments back
      where back.returns_id = flying.id and ${saidByBank('back')}), 0)
    else coalesce((select -sum(back.amount) from repayments back
      where back.returns_id = flying.id and back.failure is null and not (${saidByBank('back')})), 0) end)
  from ach_debits debit join repayments flying on flying.id = debit.repayment_id
  where debit.invoice_id = ${sql.ref(`${alias}.id`)}), 0)::bigint`

/** What of it nobody has answered, neither the bank nor a person who recorded a return: only for that an invoice waits. */
export const unansweredOf = (alias: string): RawBuilder<number> => sql<number>`coalesce((
  select sum(flying.amount + coalesce((select sum(back.amount) from repayments back
    where back.returns_id = flying.id and back.failure is null), 0))
  from ach_debits debit join repayments flying on flying.id = debit.repayment_id
  where debit.invoice_id = ${sql.ref(`${alias}.id`)} and flying.ach_state = 'PENDING'), 0)::bigint`

/** Cancels the debit of a locked invoice that is scheduled and not submitted yet, if there is one. */
export async function cancelDebit(tx: Tx, invoiceId: number): Promise<void> {
  await sql`update ach_debits set state = 'CANCELLED', updated_at = now()
    where invoice_id = ${invoiceId} and state = 'SCHEDULED'`.execute(tx)
}

/**
 * Schedules a debit of what a locked invoice owes and is not on its way; `attempt` is 0 for the first, then the number of the retry,
 * which takes no more later on.
 */
export async function scheduleDebit(
  tx: Tx,
  invoice: { id: number; outstanding_amount: number; in_flight_amount: number },
  date: string,
  attempt: number,
): Promise<void> {
  const amount = openAmountOf(invoice)
  await sql`insert into ach_debits (invoice_id, amount, most_amount, debit_date, attempt)
    values (${invoice.id}, ${amount}, ${attempt > 0 ? amount : null}, ${date}, ${attempt})`.execute(tx)
}

/** Moves the debit of a locked invoice that is scheduled and not submitted yet to another date. */
export async function moveDebit(tx: Tx, invoiceId: number, date: string): Promise<void> {
  await sql`update ach_debits set debit_date = ${date}, updated_at = now()
    where invoice_id = ${invoiceId} and state = 'SCHEDULED'`.execute(tx)
}

/**
 * Says of the debit of a repayment what its answers come to: `settled`, when the bank has just settled it, and what came back
 * and stands.
 */
export async function saveDebit(tx: Tx, repaymentId: number, settled?: string): Promise<void> {
  await sql`
    update ach_debits set updated_at = now(), settled_on = coalesce(${settled ?? null}::date, settled_on),
      return_code = back.code, state = case
        when back.amount >= ach_debits.amount then 'RETURNED' when back.amount > 0 then 'PARTIALLY_RETURNED'
        when coalesce(${settled ?? null}::date, settled_on) is not null then 'SETTLED' else 'SUBMITTED' end
    from (
      select coalesce(-sum(amount), 0) as amount, (array_agg(return_code order by id desc))[1] as code
      from repayments where returns_id = ${repaymentId} and failure is null
    ) back where repayment_id = ${repaymentId}`.execute(tx)
}
