import { z } from 'zod'
import { canAddTransaction } from '#domain/additional-transaction.ts'
import { employeeEvents } from '#domain/employee-event.ts'
import { all } from '#domain/permissions.ts'
import { type RefusalCode, refuse } from '#domain/refusal.ts'
import { canAdjustBalance } from '#domain/work-period.ts'
import { action, endpoint } from '#contract/define.ts'
import { dateSchema, idSchema, longText, money, version } from '#contract/fields.ts'
import { Employee } from '#contract/employees.ts'
import { lek, pageQuery } from '#contract/list.ts'

/** An employee's earnings and withdrawals in a pay period; cents, both ends inclusive. */
export const WorkPeriodBalance = z.object({
  id: z.int(),
  period_start: dateSchema,
  period_end: dateSchema,
  is_open: z.boolean(),
  earned_amount: z.int(),
  /** The amount that may be withdrawn, by the terms at the last calculation. */
  limit_amount: z.int(),
  taken_amount: z.int(),
  pending_amount: z.int(),
  available_amount: z.int(),
  version: z.int(),
})
export type WorkPeriodBalance = z.infer<typeof WorkPeriodBalance>

/** Whether one more request may be granted, and why not. */
const Validated = z.object({ allowed: z.boolean(), code: z.string().nullable(), reason: z.string().nullable() })

/** The current withdrawal terms of the employer's configuration. */
const Terms = z.object({
  withdraw_limit_type: z.enum(['PERCENTAGE', 'AMOUNT']),
  withdraw_limit_amount: z.int(),
  withdraw_amount_max: z.int(),
})

const needs = all('read:work-period-balances')

/** Newest first. Without an open period `current` is null: the balance cannot be loaded. */
export const listWorkPeriodBalances = endpoint({
  method: 'GET',
  path: '/employees/{id}/work-period-balances',
  summary: "An employee's work period balances, the open one first",
  tag: 'Employees',
  query: z.object({
    ...pageQuery,
    sort: z.enum(['period_start']).default('period_start'),
    'sort-order': z.enum(['asc', 'desc']).default('desc'),
  }),
  answer: z.object({
    data: z.array(WorkPeriodBalance),
    lek,
    /** The open period, on every page, with its requests and the report date of its pay period. */
    current: WorkPeriodBalance.extend({
      requests: z.object({ per_cycle: z.int(), granted: z.int(), used: z.int(), left: z.int() }),
      report_date: dateSchema,
    }).nullable(),
    terms: Terms,
    additional_transaction: Validated,
  }),
  needs,
})
export type WorkPeriodBalances = z.infer<typeof listWorkPeriodBalances.answer>

export const addTransaction = action({
  method: 'POST',
  path: '/employees/{id}/work-period-balances/additional-transaction',
  summary: 'Grant an employee one more request in the open work period; no money moves',
  tag: 'Employees',
  answer: Employee,
  id: 'employee.additional-transaction',
  body: z.object({ notes: longText('Notes').optional() }),
  needs: all('read:work-period-balances', 'write:additional-transaction'),
  event: employeeEvents.additionalTransaction,
  refuses: canAddTransaction,
  checkedBy: {
    endpoint: listWorkPeriodBalances,
    refuses: ({ additional_transaction: { code, reason } }: WorkPeriodBalances) =>
      code === null ? null : refuse(code as RefusalCode, reason ?? ''),
  },
})

/** $100,000: nobody earns more in a pay period. */
const maxEarned = 10_000_000

/** The version is that of the employee, whose record contains the balance. */
export const adjustBalance = action({
  method: 'PATCH',
  path: '/employees/{id}/work-period-balances/{wpbId}',
  summary: 'Adjust what an employee earned in the open work period',
  tag: 'Employees',
  params: z.object({ id: idSchema, wpbId: idSchema }),
  answer: Employee,
  extension: true,
  id: 'employee.adjust-balance',
  body: z.object({
    earned_amount: money('Earned in this period', { min: 0, max: maxEarned }),
    reason: longText('Reason'),
    version: version(),
  }),
  needs: all('read:work-period-balances', 'write:work-period-balances'),
  event: employeeEvents.balanceAdjusted,
  refuses: canAdjustBalance,
})
