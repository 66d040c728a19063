import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '#server/access/actor.ts'
import { openTo } from '#server/access/scope.ts'
import { prepared } from '#server/postgres/prepared.ts'
import type { Tx } from '#server/tables/database.ts'
import { type InvoiceRow, oneInvoice } from '#server/tables/invoices.ts'
import { isRow, type RowKey } from '#server/tables/rows.ts'
import { selectAll, selectOne } from '#server/postgres/select.ts'

/** Whether an invoice `next` can absorb credit of its debtor. */
const takesCredit = sql`next.status in ('DRAFT', 'ON_DEDUCTION_FILE')`

/** Whether an invoice `e` has a waiting refund and its debtor no next invoice (docs/rules/money.md). */
export const strandedRefund: RawBuilder<unknown> = sql`e.id in (
  select source.id from credits credit
  join invoices source on source.id = credit.invoice_id and source.organization_id = credit.organization_id
  where credit.kind = 'REFUND' and credit.state = 'WAITING' and not exists (
    select from invoices next where next.organization_id = source.organization_id and next.debtor_type = source.debtor_type
      and next.debtor_id = source.debtor_id and next.id <> source.id and ${takesCredit}))`

/**
 * The key of the next invoice of an invoice's debtor, which absorbs rollovers and refunds: the earliest other invoice in DRAFT or
 * ON_DEDUCTION_FILE by due date, issue date, id, with those that owe something first. Null if there is none, or if it is not open
 * to the person: the choice does not depend on who asks. It is not locked.
 */
export async function nextInvoiceKeyOf(tx: Tx, actor: Reader, of: RowKey): Promise<RowKey | null> {
  const { rows } = await sql<RowKey>`${prepared}
    select chosen.id, chosen.organization_id from invoices source cross join lateral (
      select next.id, next.organization_id, next.employer_id from invoices next
      where next.organization_id = source.organization_id and next.debtor_type = source.debtor_type
        and next.debtor_id = source.debtor_id and next.id <> source.id and ${takesCredit}
      order by next.outstanding_amount <= 0, next.due_date, next.issue_date, next.id limit 1) chosen
    where ${isRow('source', of)} and ${openTo(actor, sql.ref('chosen.employer_id'))}`.execute(tx)
  return rows[0] ?? null
}

/** The full row of that invoice. */
export async function nextInvoiceOf(tx: Tx, actor: Reader, of: RowKey): Promise<InvoiceRow | null> {
  const next = await nextInvoiceKeyOf(tx, actor, of)
  return next && oneInvoice(tx, actor, next)
}

/** Overpaid money on its way to another invoice; cents. */
export interface CreditRow {
  id: number
  organization_id: number
  kind: 'ROLLOVER' | 'REFUND'
  invoice_id: number
  amount: number
  absorbed_amount: number
  state: 'WAITING' | 'ABSORBED' | 'CANCELLED'
}

/** Creates a credit of a locked invoice; a rollover is absorbed immediately, a refund waits. */
export async function makeCredit(
  tx: Tx,
  kind: CreditRow['kind'],
  { id, organization_id }: RowKey,
  amount: number,
): Promise<number> {
  const absorbed = kind === 'ROLLOVER'
  const { rows } = await sql<{ id: number }>`
    insert into credits (organization_id, kind, invoice_id, amount, absorbed_amount, state)
    values (${organization_id}, ${kind}, ${id}, ${amount}, ${absorbed ? amount : 0}, ${absorbed ? 'ABSORBED' : 'WAITING'})
    returning id`.execute(tx)
  return rows[0]?.id as number
}

/** Sets the amount and absorbed amount of a credit; its state follows, and an amount of zero means CANCELLED. */
export async function saveCredit(tx: Tx, of: RowKey, { amount, absorbed }: { amount: number; absorbed: number }): Promise<void> {
  // A cancelled credit keeps its previous amount.
  await sql`update credits set updated_at = now(),
    ${amount === 0 ? sql`state = 'CANCELLED'` : sql`amount = ${amount}, absorbed_amount = ${absorbed}, state = ${amount === absorbed ? 'ABSORBED' : 'WAITING'}`}
    where ${isRow('credits', of)}`.execute(tx)
}

/** The waiting refund of an invoice; lock the invoice first. */
export async function waitingRefundOf(tx: Tx, invoice: RowKey): Promise<CreditRow | null> {
  return selectOne<CreditRow>(tx)`
    select id, organization_id, kind, invoice_id, amount, absorbed_amount, state from credits
    where organization_id = ${invoice.organization_id} and invoice_id = ${invoice.id} and kind = 'REFUND' and state = 'WAITING'`
}

/** The waiting refunds of a debtor, oldest first, except those of one invoice. */
export async function waitingRefunds(
  tx: Tx,
  { id, organization_id, debtor_type, debtor_id }: Pick<InvoiceRow, 'id' | 'organization_id' | 'debtor_type' | 'debtor_id'>,
): Promise<CreditRow[]> {
  return selectAll<CreditRow>(tx)`
    select credit.id, credit.organization_id, credit.kind, credit.invoice_id, credit.amount, credit.absorbed_amount, credit.state
    from invoices i join credits credit on credit.organization_id = i.organization_id and credit.invoice_id = i.id
      and credit.kind = 'REFUND' and credit.state = 'WAITING'
    where i.organization_id = ${organization_id} and i.debtor_type = ${debtor_type} and i.debtor_id = ${debtor_id}
      and i.status = 'REFUND_IN_PROGRESS' and i.id <> ${id}
    order by credit.id`
}
