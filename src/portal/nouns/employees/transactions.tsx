import type { Employee } from '#contract/employees.ts'
import {
  countTransactions,
  listTransactions,
  type Transaction,
  transactionFilters,
  transactionSorts,
} from '#contract/transactions.ts'
import { providerOf, transactionStatuses } from '#domain/transaction.ts'
import { employee } from '#entities/employee.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import type { Column } from '#portal/list/pane.ts'
import { amounts, plain, sortsOf, states, times } from '#portal/nouns/columns.tsx'
import { periodText } from '#portal/nouns/employees/pay.ts'
import { tabList } from '#portal/record/tab-list.tsx'

const columns: readonly Column<Transaction>[] = [
  {
    id: 'requested',
    title: 'Requested, pay period',
    width: [150, 1.4],
    long: true,
    sort: 'requested_at',
    keep: 3,
    text: (one) => `${dateAndTime(one.requested_at)}, ${periodText(one)}`,
    draw: (one) => (
      <>
        <strong>{dateAndTime(one.requested_at)}</strong>
        <small>{periodText(one)}</small>
      </>
    ),
  },
  plain('id', 'Number', 84, (one) => String(one.id)),
  states('status', 'Status', 92, transactionStatuses, (one) => one.status, { keep: 3 }),
  plain('provider', 'Provider', 92, (one) => providerOf(one.provider), { keep: 1 }),
  amounts('amount', 'Amount', (one) => one.amount, { keep: 3, width: [84, 0.6] }),
  amounts('fee', 'Fee', (one) => one.fee_amount, { keep: 2, width: [64, 0.5] }),
  times('settled', 'Settled', (one) => one.settled_at),
]

/** The tab Transactions of an employee (SCR-049): advances drawn, newest first. */
export const EmployeeTransactions = tabList<Employee>({
  of: employee,
  tab: 'transactions',
  rows: { name: 'transaction', id: (one: Transaction) => String(one.id), version: () => 0 },
  list: () => ({
    title: 'Transactions of the employee',
    many: 'transactions',
    columns,
    shown: ['requested', 'status', 'provider', 'amount', 'fee'],
    filters: transactionFilters,
    sorts: sortsOf(transactionSorts, columns, { requested_at: 'Requested' }),
    newestFirst: true,
    madeLater: true,
    none: 'This employee has no transactions.',
    source: {
      endpoint: listTransactions,
      query: (id) => ({ employeeID: id }),
      rows: (answer: { data: Transaction[] }) => answer.data,
      count: countTransactions,
      totals: {
        from: countTransactions,
        read: ({ totals }: { totals: Record<string, number> }) => [
          { title: 'taken', cents: totals['taken_amount'] ?? 0 },
          { title: 'pending', cents: totals['pending_amount'] ?? 0 },
        ],
      },
    },
  }),
})
