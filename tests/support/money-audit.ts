import { type Kysely, sql } from 'kysely'
import { type Entry, identityHolds, totalsOf, waitingCredit } from '#domain/ledger.ts'
import type { Database } from '#server/tables/database.ts'

/**
 * Recomputes every total from the ledger and says, sentence by sentence, what does not add up: totals, the identity,
 * allocations against entries, repayments against allocations, rolled out against rolled in and waiting. Empty is good.
 */
export async function auditMoney(db: Kysely<Database>): Promise<string[]> {
  const { rows: entries } = await sql<Entry & { invoice_id: number }>`
    select invoice_id, kind, amount, repayment_id from ledger_entries`.execute(db)
  const byInvoice = Map.groupBy(entries, (entry) => entry.invoice_id)
  return [
    ...(await wrongTotals(db, byInvoice)),
    ...(await wrongRepayments(db)),
    ...(await wrongPayments(db)),
    ...(await wrongCredit(db, entries)),
  ]
}

async function wrongTotals(db: Kysely<Database>, byInvoice: Map<number, Entry[]>): Promise<string[]> {
  const { rows } = await sql<Record<string, number> & { id: number }>`
    select id, original_amount, writeoff_amount, rollover_amount as rollover_in_amount, rollover_out_amount, paid_amount,
      invoice_amount, outstanding_amount from invoices`.execute(db)
  return rows.flatMap(({ id, ...kept }) => {
    const summed = totalsOf(byInvoice.get(id) ?? [])
    const wrong = Object.entries(summed).filter(([name, value]) => kept[name] !== value)
    return [
      ...wrong.map(([name, value]) => `INV-${id}: ${name} is ${kept[name]}, the ledger says ${value}`),
      ...(identityHolds(summed) ? [] : [`INV-${id}: the identity does not hold`]),
    ]
  })
}

async function wrongRepayments(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ id: number; amount: number; unallocated_amount: number; allocated: number; returned: number }>`
    select r.id, r.amount, r.unallocated_amount, coalesce(
      (select sum(amount) from repayment_allocations where repayment_id = r.id), 0)::bigint as allocated,
      coalesce((select -sum(amount) from repayments back where back.returns_id = r.id), 0)::bigint as returned
    from repayments r`.execute(db)
  return rows.flatMap(({ id, amount, unallocated_amount, allocated, returned }) => [
    ...(amount === unallocated_amount + allocated + returned
      ? []
      : [`REP-${id}: ${amount} is not ${unallocated_amount} unallocated + ${allocated} allocated + ${returned} returned`]),
    ...(amount > 0 && unallocated_amount < 0 ? [`REP-${id}: more is allocated than there is`] : []),
    ...(amount > 0 && returned > amount ? [`REP-${id}: more came back than came in`] : []),
  ])
}

/** A repayment that counts has in the ledger what is allocated, returns taken off; one that is awaited or failed has nothing. */
async function wrongPayments(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ repayment_id: number; invoice_id: number; allocated: number; posted: number }>`
    with allocated as (
      select a.repayment_id, a.invoice_id, a.amount from repayment_allocations a join repayments r on r.id = a.repayment_id
      where r.origin <> 'RETURN' and r.reconciliation_status <> 'FAILED' and r.ach_state is distinct from 'PENDING'
    ), posted as (
      select coalesce(r.returns_id, r.id) as repayment_id, e.invoice_id,
        sum(case e.kind when 'RETURN' then -e.amount else e.amount end)::bigint as amount
      from ledger_entries e join repayments r on r.id = e.repayment_id
      where e.kind in ('PAYMENT', 'RETURN') group by 1, 2
    )
    select repayment_id, invoice_id, coalesce(allocated.amount, 0) as allocated, coalesce(posted.amount, 0) as posted
    from allocated full join posted using (repayment_id, invoice_id)
    where coalesce(allocated.amount, 0) <> coalesce(posted.amount, 0)`.execute(db)
  return rows.map((row) => `REP-${row.repayment_id} on INV-${row.invoice_id}: ${row.allocated} allocated, ${row.posted} posted`)
}

async function wrongCredit(db: Kysely<Database>, entries: readonly Entry[]): Promise<string[]> {
  const { rows } = await sql<{ waiting: number }>`
    select coalesce(sum(amount - absorbed_amount), 0)::bigint as waiting from credits where state = 'WAITING'`.execute(db)
  const waiting = rows[0]?.waiting ?? 0
  const out = waitingCredit(entries)
  return out === waiting ? [] : [`${out} rolled out and not in, but ${waiting} waits`]
}
