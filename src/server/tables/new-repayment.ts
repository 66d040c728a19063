import { type Selectable, sql } from 'kysely'
import type { Allocation } from '#domain/allocation.ts'
import type { OpenDebtor } from '#server/access/scope.ts'
import { prepared } from '#server/postgres/prepared.ts'
import { entriesOf, type Posting } from '#server/tables/allocations.ts'
import type { Tx } from '#server/tables/database.ts'
import type { Mover } from '#server/tables/ledger.ts'
import {
  ownColumns,
  type NewRepaymentRow,
  type RepaymentRow,
  type RepaymentTable,
  repaymentInserted,
} from '#server/tables/repayments.ts'

/** What a repayment that counts at once is made of; cents. */
export interface Counting {
  row: NewRepaymentRow
  debtor: OpenDebtor
  /** What of it stands for which invoice. */
  shares: readonly Allocation<number>[]
  /** What the ledger says of it. */
  posting: Posting
}

/**
 * Adds a repayment that counts at once, its shares and its entries in the ledger, in one statement; the invoices are locked.
 * Answers it as `oneRepayment` would: nothing of a new one came back, was debited, or settles later.
 */
export async function insertCounting(tx: Tx, mover: Mover, { row, debtor, shares, posting }: Counting): Promise<RepaymentRow> {
  const real = shares.filter((share) => share.amount !== 0).sort((a, b) => a.invoice_id - b.invoice_id)
  const entries = entriesOf('PAYMENT', posting).filter((entry) => entry.amount !== 0)
  const { rows } = await sql<Selectable<RepaymentTable>>`${prepared}
    with r as (${repaymentInserted(row)} returning *),
    shared as (
      insert into repayment_allocations (repayment_id, invoice_id, amount)
      select r.id, share.* from r, unnest(${real.map((share) => share.invoice_id)}::bigint[],
        ${real.map((share) => share.amount)}::bigint[]) as share),
    posted as (
      insert into ledger_entries (invoice_id, kind, amount, repayment_id, actor_id, actor_name)
      select entry.*, r.id, ${mover.id}, ${mover.name} from r, unnest(${entries.map((entry) => entry.invoice_id)}::bigint[],
        ${entries.map((entry) => entry.kind)}::text[], ${entries.map((entry) => entry.amount)}::bigint[]) as entry)
    select ${ownColumns} from r`.execute(tx)
  const made = rows[0] as Selectable<RepaymentTable>
  return { ...made, ...debtor, returned_amount: 0, allocations: real, came_back: [], debited: null, source_settled: true }
}
