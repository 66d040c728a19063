import { type Selectable, sql } from 'kysely'
import type { Allocation } from '#domain/allocation.ts'
import type { OpenDebtor } from '#server/access/scope.ts'
import { prepared } from '#server/postgres/prepared.ts'
import type { Tx } from '#server/tables/database.ts'
import type { Mover, NewEntry } from '#server/tables/ledger.ts'
import {
  ownColumns,
  type NewRepaymentRow,
  type RepaymentRow,
  type RepaymentTable,
  insertRepaymentStatement,
} from '#server/tables/repayments.ts'

/** A new repayment, or a return, with its parts; cents. */
export interface WithShares {
  row: Omit<NewRepaymentRow, 'organization_id'>
  debtor: OpenDebtor
  /** Its allocation to invoices. */
  shares: readonly Allocation<number>[]
  /** Its ledger entries; empty while it does not count. */
  entries: readonly Pick<NewEntry, 'invoice_id' | 'kind' | 'amount'>[]
}

/**
 * Adds a repayment, its shares and its ledger entries in one statement; the invoices are locked. Returns it as `oneRepayment`
 * would: a new one has no returns and no debit.
 */
export async function insertWithShares(tx: Tx, mover: Mover, made: WithShares): Promise<RepaymentRow> {
  const { organization_id, organization_name, employer_id, employer_name } = made.debtor
  const shares = made.shares.filter((share) => share.amount !== 0).sort((a, b) => a.invoice_id - b.invoice_id)
  const entries = made.entries.filter((entry) => entry.amount !== 0)
  const { rows } = await sql<Selectable<RepaymentTable>>`${prepared}
    with r as (${insertRepaymentStatement({ ...made.row, organization_id })} returning *),
    shared as (
      insert into repayment_allocations (organization_id, repayment_id, invoice_id, amount)
      select r.organization_id, r.id, share.* from r, unnest(${shares.map((share) => share.invoice_id)}::bigint[],
        ${shares.map((share) => share.amount)}::bigint[]) as share),
    posted as (
      insert into ledger_entries (organization_id, invoice_id, kind, amount, repayment_id, actor_id, actor_name)
      select r.organization_id, entry.*, r.id, ${mover.id}, ${mover.name} from r, unnest(${entries.map((entry) => entry.invoice_id)}::bigint[],
        ${entries.map((entry) => entry.kind)}::text[], ${entries.map((entry) => entry.amount)}::bigint[]) as entry)
    select ${ownColumns} from r`.execute(tx)
  return {
    ...(rows[0] as Selectable<RepaymentTable>),
    ...{ organization_id, organization_name, employer_id, employer_name },
    ...{ returned_amount: 0, allocations: shares, came_back: [], debited: null },
    posted: made.row.origin !== 'RETURN' || entries.length > 0,
  }
}
