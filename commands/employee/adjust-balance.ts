import type { z } from 'zod'
import type { Balance, Employee } from '#contract/employees.ts'
import { adjustBalance, listWorkPeriodBalances, type WorkPeriodBalances } from '#contract/work-periods.ts'
import { formatCents } from '#domain/money.ts'
import { availableOf, limitOf } from '#domain/work-period.ts'
import { employee } from '#entities/employee.ts'
import { defineCommand } from '#kernel/command.ts'

const form = adjustBalance.body.omit({ version: true })

/** The request for one employee, whose record contains the balance. */
const adjusted = (one: Employee, balance: Balance, body: z.infer<typeof form>) =>
  adjustBalance({ id: one.id, wpbId: balance.id }, { ...body, version: one.version })

export default defineCommand<Employee, typeof adjustBalance, z.infer<typeof form>, WorkPeriodBalances>({
  id: 'employee.adjust-balance',
  title: 'Adjust work period balance',
  aliases: ['balance', 'earned', 'correct balance', 'hours were missing'],
  on: employee,
  does: adjustBalance,
  form: { schema: form, start: (one) => (one?.balance ? { earned_amount: one.balance.earned_amount } : {}) },
  facts: (one, read) => read(listWorkPeriodBalances, { id: one.id }, { limit: '1' }),
  preview: ({ balance }, { earned_amount: earned }, { terms }) => {
    if (!balance || earned === undefined || earned < 0) return []
    const limit = limitOf(earned, terms)
    const row = (what: string, before: number, after: number) => ({
      of: 'Work period',
      what,
      before: formatCents(before),
      after: formatCents(after),
    })
    return [
      row('earned', balance.earned_amount, earned),
      row('limit', balance.limit_amount, limit),
      row('available', balance.available_amount, availableOf({ ...balance, limit_amount: limit })),
    ]
  },
  plan: (one, params) => (one.balance ? [adjusted(one, one.balance, params)] : []),
  undo: ({ before, after }) =>
    before.balance ? [adjusted(after, before.balance, { earned_amount: before.balance.earned_amount, reason: 'Undone' })] : null,
  done: (one, { earned_amount }) => `Earned of ${employee.title(one)} in this pay period is ${formatCents(earned_amount)}`,
})
