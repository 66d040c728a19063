import { type RawBuilder, sql } from 'kysely'
import { openAmountOf } from '#domain/ach.ts'
import type { Tx } from '#server/tables/database.ts'
import type { RowKey } from '#server/tables/rows.ts'

/** Whether a return in effect was reported by the bank; otherwise only a person recorded it. */
export const saidByBank = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${alias}.requester_id`)} is null or ${sql.ref(`${alias}.bank_result_id`)} is not null)
    and ${sql.ref(`${alias}.failure`)} is null`

/**
 * The amount taken by debits of an invoice that the bank has neither returned nor settled for good, as a column of cents; `alias`
 * names the invoices. A return recorded by a person does not count as the bank's answer, neither before nor after settlement:
 * until the bank confirms it, its amount is not debited again (docs/decisions/2026-11-30-bank-results.md).
 */
export const inFlightOf = (alias: string): RawBuilder<number> => sql<number>`coalesce((
  select sum(case flying.ach_state
    when 'PENDING' then flying.amount + coalesce((select sum(back.amount) from repayments back
      where back.organization_id = flying.organization_id and back.returns_id = flying.id and ${saidByBank('back')}), 0)
    else coalesce((select -sum(back.amount) from repayments back
      where back.organization_id = flying.organization_id and back.returns_id = flying.id and back.failure is null and not (${saidByBank('back')})), 0) end)
  from ach_debits debit
  join repayments flying on flying.id = debit.repayment_id and flying.organization_id = debit.organization_id
  where debit.organization_id = ${sql.ref(`${alias}.organization_id`)} and debit.invoice_id = ${sql.ref(`${alias}.id`)}), 0)::bigint`

/**
 * The part of it without any answer, neither from the bank nor as a return recorded by a person: an invoice waits only for this
 * part.
 */
export const unansweredOf = (alias: string): RawBuilder<number> => sql<number>`coalesce((
  select sum(flying.amount + coalesce((select sum(back.amount) from repayments back
    where back.organization_id = flying.organization_id and back.returns_id = flying.id and back.failure is null), 0))
  from ach_debits debit
  join repayments flying on flying.id = debit.repayment_id and flying.organization_id = debit.organization_id
  where debit.organization_id = ${sql.ref(`${alias}.organization_id`)} and debit.invoice_id = ${sql.ref(`${alias}.id`)} and flying.ach_state = 'PENDING'), 0)::bigint`

/** Cancels the scheduled, unsubmitted debit of a locked invoice, if there is one. */
export async function cancelDebit(tx: Tx, { id, organization_id }: RowKey): Promise<void> {
  await sql`update ach_debits set state = 'CANCELLED', updated_at = now()
    where invoice_id = ${id} and organization_id = ${organization_id} and state = 'SCHEDULED'`.execute(tx)
}

/**
 * Schedules a debit of the outstanding amount of a locked invoice that is not in flight; `attempt` is 0 for the first, then the
 * number of the retry. The amount does not grow later.
 */
export async function scheduleDebit(
  tx: Tx,
  invoice: RowKey & { outstanding_amount: number; in_flight_amount: number },
  date: string,
  attempt: number,
): Promise<void> {
  const amount = openAmountOf(invoice)
  await sql`insert into ach_debits (organization_id, invoice_id, amount, most_amount, debit_date, attempt)
    values (${invoice.organization_id}, ${invoice.id}, ${amount}, ${attempt > 0 ? amount : null}, ${date}, ${attempt})`.execute(
    tx,
  )
}

/** Moves the scheduled, unsubmitted debit of a locked invoice to another date. */
export async function moveDebit(tx: Tx, { id, organization_id }: RowKey, date: string): Promise<void> {
  await sql`update ach_debits set debit_date = ${date}, updated_at = now()
    where invoice_id = ${id} and organization_id = ${organization_id} and state = 'SCHEDULED'`.execute(tx)
}

/** Updates the debit of a repayment from its bank results: `settled` if the bank has just settled it, and the returns in effect. */
export async function saveDebit(tx: Tx, repayment: RowKey, settled?: string): Promise<void> {
  await sql`
    update ach_debits set updated_at = now(), settled_on = coalesce(${settled ?? null}::date, settled_on),
      return_code = back.code, state = case
        when back.amount >= ach_debits.amount then 'RETURNED' when back.amount > 0 then 'PARTIALLY_RETURNED'
        when coalesce(${settled ?? null}::date, settled_on) is not null then 'SETTLED' else 'SUBMITTED' end
    from (
      select coalesce(-sum(amount), 0) as amount, (array_agg(return_code order by id desc))[1] as code
      from repayments where returns_id = ${repayment.id} and organization_id = ${repayment.organization_id} and failure is null
    ) back where repayment_id = ${repayment.id} and organization_id = ${repayment.organization_id}`.execute(tx)
}
