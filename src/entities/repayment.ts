import type { z } from 'zod'
import {
  countRepayments,
  getRepayment,
  getRepaymentAmounts,
  listRepaymentEvents,
  listRepayments,
  Repayment,
  repaymentFilters,
} from '#contract/repayments.ts'
import { reconciliations } from '#domain/repayment.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'
import { formatCents } from '#domain/money.ts'
import { isolated } from '#domain/text.ts'

/** A payment of a debtor, or money paid back. */
export const repayment = defineEntity<Repayment>({
  name: 'repayment',
  one: 'repayment',
  many: 'repayments',
  aliases: ['payments', 'pmt', 'pmts'],
  instead: {
    'A repayment is not cancelled or deleted. Record its ACH return, or change its amount or its allocation.': [
      ...['cancel repayment', 'delete repayment', 'void repayment', 'remove repayment', 'cancel payment', 'delete payment'],
    ],
  },
  icon: 'repayment',
  ids: numbers({ prefix: 'REP', alone: true }),
  path: '/repayments',
  schema: Repayment,
  get: getRepayment,
  list: listRepayments,
  count: countRepayments,
  totals: {
    from: getRepaymentAmounts,
    read: (amounts: z.infer<typeof getRepaymentAmounts.answer>) => [
      { title: 'repaid', cents: amounts.total_amount },
      { title: 'unallocated', cents: amounts.unallocated_amount },
    ],
  },
  events: listRepaymentEvents,
  query: {},
  rows: (answer: { repayments: Repayment[] }) => answer.repayments,
  filters: repaymentFilters,
  orders: { amount: 'amount', date: 'repayment_date' },
  notLoaded: 'Unable to load repayment details',
  pane: true,
  tabs: { history: 'History' },
  id: (one) => String(one.id),
  title: (one) => one.reference_id,
  subtitle: (one) => isolated(one.debtor_name),
  status: { of: (one) => one.reconciliation_status, states: reconciliations },
  figure: (one) => formatCents(one.amount),
  version: (one) => one.version,
  keywords: (one) =>
    [one.debtor_name, one.descriptor, ...one.allocations.map((part) => part.number)].filter((word) => word != null),
  confirmWith: (one) => one.reference_id,
})
