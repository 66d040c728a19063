import type { z } from 'zod'
import type { Employee } from '#contract/employees.ts'
import { addTransaction, listWorkPeriodBalances, type WorkPeriodBalances } from '#contract/work-periods.ts'
import { employee } from '#entities/employee.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand<Employee, typeof addTransaction, z.input<typeof addTransaction.body>, WorkPeriodBalances>({
  id: 'employee.additional-transaction',
  title: 'Additional transaction',
  aliases: ['one more request', 'extra request', 'grant transaction', 'grant advance'],
  icon: 'plus',
  on: employee,
  does: addTransaction,
  facts: (one, read) => read(listWorkPeriodBalances, { id: one.id }, { limit: '1' }),
  preview: (one, _, { current }) =>
    current
      ? [
          {
            of: employee.title(one),
            what: 'requests left',
            before: String(current.requests.left),
            after: String(current.requests.left + 1),
          },
        ]
      : [],
  done: (one) => `${employee.title(one)} may make one more request in this pay period`,
  failed: () => 'Could not add an additional transaction.',
})
