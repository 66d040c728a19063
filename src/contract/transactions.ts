import { z } from 'zod'
import { all } from '#domain/permissions.ts'
import { providerLabels, transactionProviders, transactionStatuses } from '#domain/transaction.ts'
import { endpoint } from '#contract/define.ts'
import { dateSchema, decimal, idSchema } from '#contract/fields.ts'
import { amountFilter, choiceFilter, dateFilter, filterParams } from '#contract/filter.ts'
import { Count, lek, pageQuery } from '#contract/list.ts'

/** A withdrawal of earned wages by an employee; cents. `amount` was paid out, `fee_amount` is added to it. */
export const Transaction = z.object({
  id: z.int(),
  employee_id: z.int(),
  work_period_balance_id: z.int(),
  status: z.enum(transactionStatuses.values),
  provider: z.string(),
  amount: z.int(),
  fee_amount: z.int(),
  period_start: dateSchema,
  period_end: dateSchema,
  requested_at: z.iso.datetime(),
  /** When it was no longer PENDING; null until then. */
  settled_at: z.iso.datetime().nullable(),
})
export type Transaction = z.infer<typeof Transaction>

export const transactionFilters = [
  choiceFilter({ id: 'status', title: 'Status', of: transactionStatuses }),
  choiceFilter({ id: 'provider', title: 'Provider', values: transactionProviders, labels: providerLabels }),
  dateFilter('requested', 'Requested'),
  amountFilter('amount', 'Amount'),
] as const

export const transactionSorts = ['requested_at'] as const

const filtered = {
  employeeID: idSchema.optional(),
  workPeriodBalanceID: idSchema.optional(),
  ...filterParams(transactionFilters),
}
const needs = all('read:transactions')

/** Newest first. `pageSize` and `lastEvaluatedKey` correspond to `limit` and `lek` of all other lists. */
export const listTransactions = endpoint({
  method: 'GET',
  path: '/transactions',
  summary: 'Transactions of employees, by cursor, newest first',
  tag: 'Transactions',
  specified: ['employeeID', 'workPeriodBalanceID', 'pageSize', 'lastEvaluatedKey'],
  query: z.object({
    ...filtered,
    pageSize: decimal('A whole number from 1 to 200', 1, 200).optional(),
    lastEvaluatedKey: pageQuery.lek,
    ...pageQuery,
    sort: z.enum(transactionSorts).default('requested_at'),
    'sort-order': z.enum(['asc', 'desc']).default('desc'),
  }),
  answer: z.object({ data: z.array(Transaction), last_evaluated_key: lek, lek }),
  needs,
})

/** Number of transactions for a filter, and the totals of the complete and pending ones including fees; cents. */
export const countTransactions = endpoint({
  method: 'GET',
  path: '/transactions/count',
  summary: 'How many transactions a filter has, and what they come to',
  tag: 'Transactions',
  query: z.object(filtered),
  answer: Count.extend({ totals: z.object({ taken_amount: z.int(), pending_amount: z.int() }) }),
  needs,
  extension: true,
})
