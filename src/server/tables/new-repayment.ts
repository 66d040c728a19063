import { type Selectable, sql } from 'kysely'
import type { Allocation } from '#domain/allocation.ts'
import type { OpenDebtor } from '#server/access/scope.ts'
import { prepared } from '#server/postgres/prepared.ts'
import type { Tx } from '#server/tables/database.ts'
import { type Mover, type NewEntry, post } from '#server/tables/ledger.ts'
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

/** The id that the last insert of this transaction gave to a repayment. */
const newRepaymentId = sql<number>`currval(pg_get_serial_sequence('repayments', 'id'))`

/**
 * Adds a repayment and its shares in one statement, and its ledger entries in one that is sent with it; the invoices are locked.
 * Returns it as `oneRepayment` would: a new one has no returns and no debit.
 */
export async function insertWithShares(tx: Tx, mover: Mover, made: WithShares): Promise<RepaymentRow> {
  const { organization_id, organization_name, employer_id, employer_name } = made.debtor
  const shares = made.shares.filter((share) => share.amount !== 0).sort((a, b) => a.invoice_id - b.invoice_id)
  const inserted = sql<Selectable<RepaymentTable>>`${prepared}
    with r as (${insertRepaymentStatement({ ...made.row, organization_id })} returning *),
    shared as (
      insert into repayment_allocations (organization_id, repayment_id, invoice_id, amount)
      select r.organization_id, r.id, share.* from r, unnest(${shares.map((share) => share.invoice_id)}::bigint[],
        ${shares.map((share) => share.amount)}::bigint[]) as share)
    select ${ownColumns} from r`.execute(tx)
  const [{ rows }] = await Promise.all([inserted, post(tx, mover, organization_id, made.entries, newRepaymentId)])
  return {
    ...(rows[0] as Selectable<RepaymentTable>),
    ...{ organization_id, organization_name, employer_id, employer_name },
    ...{ returned_amount: 0, allocations: shares, came_back: [], debited: null },
    posted: made.row.origin !== 'RETURN' || made.entries.some((entry) => entry.amount !== 0),
  }
}
