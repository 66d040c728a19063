import { sql } from 'kysely'
import type { Allocation } from '#domain/allocation.ts'
import { prepared } from '#server/postgres/prepared.ts'
import type { Tx } from '#server/tables/database.ts'
import { unansweredOf } from '#server/tables/debits.ts'
import type { RowKey } from '#server/tables/rows.ts'
import { type Mover, type NewEntry, post, reversalOf, type EffectiveEntry, effectiveEntries } from '#server/tables/ledger.ts'

/** Replaces the allocation of a locked repayment. */
export async function saveAllocations(tx: Tx, repayment: RowKey, shares: readonly Allocation<number>[]): Promise<void> {
  const forgetting = sql`${prepared} delete from repayment_allocations
    where repayment_id = ${repayment.id} and organization_id = ${repayment.organization_id}`.execute(tx)
  await Promise.all([forgetting, addAllocations(tx, repayment, shares)])
}

/** Adds the allocation of a new repayment. */
export async function addAllocations(tx: Tx, repayment: RowKey, shares: readonly Allocation<number>[]): Promise<void> {
  const real = shares.filter((share) => share.amount !== 0)
  await sql`${prepared} insert into repayment_allocations (organization_id, repayment_id, invoice_id, amount)
    select ${repayment.organization_id}::bigint, ${repayment.id}::bigint, part.invoice_id, part.amount
    from unnest(${real.map((share) => share.invoice_id)}::bigint[], ${real.map((share) => share.amount)}::bigint[])
      as part(invoice_id, amount)`.execute(tx)
}

/** Cents of a repayment by invoice; the null key holds the unallocated amount. */
export type Posting = ReadonlyMap<number | null, number>

/**
 * Posts the amounts of a repayment, or a return, per invoice and unallocated, replacing entries that differ
 * (`repostingEntries`); the invoices are locked.
 */
export async function postShares(
  tx: Tx,
  mover: Mover,
  { id, organization_id }: RowKey,
  kind: 'PAYMENT' | 'RETURN',
  amounts: Posting,
): Promise<void> {
  const existing = await effectiveEntries(tx, organization_id, { repayment_id: id })
  await post(tx, mover, organization_id, repostingEntries(existing, id, kind, amounts))
}

/**
 * The ledger entries that bring the existing ones to these amounts: entries with another amount are reversed and replaced, the
 * others stay. Amounts of invoices are positive in the sense of their kind; the part that a return took from the unallocated
 * amount is negative.
 */
export function repostingEntries(
  existing: readonly EffectiveEntry[],
  repaymentId: number,
  kind: 'PAYMENT' | 'RETURN',
  amounts: Posting,
): NewEntry[] {
  const remaining = new Map(amounts)
  const reversals: NewEntry[] = []
  for (const entry of existing) {
    if (remaining.get(entry.invoice_id) === entry.amount) remaining.delete(entry.invoice_id)
    else reversals.push(reversalOf(entry, { repayment_id: repaymentId }))
  }
  return [...reversals, ...entriesOf(kind, remaining).map((entry) => ({ ...entry, repayment_id: repaymentId }))]
}

/** The ledger entries of a repayment, or a return. */
export const entriesOf = (kind: 'PAYMENT' | 'RETURN', posting: Posting): Pick<NewEntry, 'invoice_id' | 'kind' | 'amount'>[] =>
  [...posting].map(([invoice_id, amount]) => ({ invoice_id, kind: invoice_id === null ? 'UNALLOCATED' : kind, amount }))

/** The amounts that returns of a repayment took out of each invoice and the unallocated amount in the ledger; positive cents. */
export async function returnedInLedger(tx: Tx, repayment: RowKey): Promise<Posting> {
  const { rows } = await sql<{ invoice_id: number | null; amount: number }>`
    select e.invoice_id, sum(case e.kind when 'RETURN' then e.amount else -e.amount end)::bigint as amount
    from ledger_entries e join repayments back on back.id = e.repayment_id and back.organization_id = e.organization_id
    where back.returns_id = ${repayment.id} and back.organization_id = ${repayment.organization_id} and e.kind in ('RETURN', 'UNALLOCATED') group by e.invoice_id`.execute(
    tx,
  )
  return new Map(rows.map((row) => [row.invoice_id, row.amount]))
}

/** The postings of a repayment: its shares and the unallocated amount, plus the later returns of both. */
export function postingOf(
  shares: readonly Allocation<number>[],
  unallocated: number,
  returned: Posting = new Map<number | null, number>(),
): Posting {
  const posting = new Map(returned)
  for (const { invoice_id, amount } of [...shares, { invoice_id: null, amount: unallocated }])
    posting.set(invoice_id, (posting.get(invoice_id) ?? 0) + amount)
  return posting
}

/** The debtor's open invoices that accept automatic allocation, oldest due first, up to `amount`. */
export async function openInvoicesOf(
  tx: Tx,
  debtor: { organization_id: number; debtor_type: string; debtor_id: number },
  statuses: readonly string[],
  amount: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (
      select i.id, i.due_date, i.issue_date,
        sum(free) over (order by i.due_date, i.issue_date, i.id) - free as before
      from invoices i cross join lateral (select greatest(0, i.outstanding_amount - ${unansweredOf('i')}) as free) owed
      where i.organization_id = ${debtor.organization_id} and i.debtor_type = ${debtor.debtor_type} and i.debtor_id = ${debtor.debtor_id}
        and i.outstanding_amount > 0 and free > 0 and i.status = any(${[...statuses]}::text[])
    ) open where before < ${amount} order by due_date, issue_date, id limit 200`.execute(tx)
  return rows.map((row) => row.id)
}
