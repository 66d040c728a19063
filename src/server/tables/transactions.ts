import { type Generated, type RawBuilder, sql } from 'kysely'
import type { listTransactions, Transaction } from '#contract/transactions.ts'
import type { TransactionStatus } from '#domain/transaction.ts'
import { openTo } from '#server/access/scope.ts'
import { type Asking, type Conditions, defineList, type FilterOf } from '#server/paging/define-list.ts'
import { amount, choice, byDayOfTime, idIs } from '#server/tables/conditions.ts'
import type { Tx } from '#server/tables/database.ts'
import { selectAll } from '#server/postgres/select.ts'
import { organizationsOf, type RowKey } from '#server/tables/rows.ts'

/** The table `transactions`, partitioned by the month of `requested_at`; amounts in cents. */
export interface TransactionTable {
  organization_id: number
  id: Generated<number>
  employee_id: number
  work_period_balance_id: number
  status: TransactionStatus
  provider: string
  amount: number
  fee_amount: number
  requested_at: Generated<Date>
  settled_at: Date | null
}

declare module '#server/tables/database.ts' {
  interface Database {
    transactions: TransactionTable
  }
}

type Row = Omit<Transaction, 'requested_at' | 'settled_at'> & { requested_at: Date; settled_at: Date | null }
/** The filters, with the parameter names of the specification. */
type Filter = Omit<FilterOf<typeof listTransactions>, 'lastEvaluatedKey'>

const e = (column: string) => sql.ref(`e.${column}`)

/** Compares the bare column, so that partitions of other months are pruned. */
const filters: Conditions<Filter> = {
  employeeID: idIs(e('employee_id')),
  workPeriodBalanceID: idIs(e('work_period_balance_id')),
  ...choice('status', e('status')),
  ...choice('provider', e('provider')),
  ...byDayOfTime('requested', e('requested_at')),
  ...amount('amount', e('amount')),
}

const from = sql`transactions e join employees employee on employee.id = e.employee_id
  and employee.organization_id = e.organization_id`
const open = (actor: Asking['actor']) => openTo(actor, sql.ref('employee.employer_id'))

/** Reads transactions; `chosen` selects their ids, and their organizations and times for partition pruning. */
async function read(tx: Tx, chosen: RawBuilder<unknown>, order: RawBuilder<unknown>): Promise<Row[]> {
  return selectAll<Row>(tx)`
    select e.id, e.employee_id, e.work_period_balance_id, e.status, e.provider, e.amount, e.fee_amount,
      balance.work_period_start as period_start, balance.work_period_end as period_end, e.requested_at, e.settled_at
    from (${chosen}) chosen
    join transactions e on e.id = chosen.id and e.organization_id = chosen.organization_id and e.requested_at = chosen.requested_at
    join work_period_balances balance on balance.id = e.work_period_balance_id
      and balance.organization_id = e.organization_id order by ${order}`
}

/** Transactions of employees that are open to the person. */
export const transactionList = defineList({
  endpoint: {} as typeof listTransactions,
  from,
  ofOrganization: true,
  open,
  filters,
  sorts: { requested_at: e('requested_at') },
  partitionedBy: { name: 'requested_at', type: 'timestamptz' },
  read: ({ tx }, chosen, order) => read(tx, chosen, order),
  // With fees; cents.
  totals: {
    taken_amount: sql`sum(e.amount + e.fee_amount) filter (where e.status = 'COMPLETE')`,
    pending_amount: sql`sum(e.amount + e.fee_amount) filter (where e.status = 'PENDING')`,
  },
})

/** Transactions of an organization by their ids and times, unordered; the caller checks access to them. */
export async function transactionsAt(
  tx: Tx,
  organizationId: number,
  places: readonly { id: number; at: string }[],
): Promise<Transaction[]> {
  const chosen = sql`select *, ${organizationId}::bigint as organization_id from unnest(${places.map(({ id }) => id)}::bigint[], ${places.map(({ at }) => at)}::timestamptz[]) as place(id, requested_at)`
  return (await read(tx, chosen, sql`e.id`)).map(toTransaction)
}

/** A transaction as returned by the API. */
export const toTransaction = ({ requested_at, settled_at, ...row }: Row): Transaction => ({
  ...row,
  requested_at: requested_at.toISOString(),
  settled_at: settled_at?.toISOString() ?? null,
})

/** The ids of these employees who have a pending transaction, in any work period. */
export async function withPending(tx: Tx, employees: readonly RowKey[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ employee_id: number }>`
    select distinct employee_id from transactions
    where employee_id = any(${employees.map(({ id }) => id)}::bigint[])
      and organization_id = any(${organizationsOf(employees)}::bigint[]) and status = 'PENDING'`.execute(tx)
  return new Set(rows.map((row) => row.employee_id))
}

/** Whether an employee has a pending transaction, in any work period. */
export const hasPending = async (tx: Tx, employee: RowKey): Promise<boolean> =>
  (await withPending(tx, [employee])).has(employee.id)
