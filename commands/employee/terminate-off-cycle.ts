import { terminateOffCycle } from '#contract/employee-changes.ts'
import { employeeStatuses, restrictedStatus } from '#domain/employee.ts'
import { formatCents } from '#domain/money.ts'
import { employee } from '#entities/employee.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'employee.terminate-off-cycle',
  title: 'Terminate employee off-cycle',
  aliases: [
    'off-cycle paid',
    'off-cycle termination',
    'final pay',
    'resigned',
    'quit',
    'left the company',
    'fire',
    'lay off',
    'layoff',
  ],
  on: employee,
  does: terminateOffCycle,
  undo: { irreversible: true },
  preview: {
    rows: (one) => [
      {
        of: employee.title(one),
        what: 'status',
        before: employeeStatuses.label(one.status),
        after: employeeStatuses.label(restrictedStatus),
      },
      ...(one.balance
        ? [
            {
              of: employee.title(one),
              what: 'available',
              before: formatCents(one.balance.available_amount),
              after: formatCents(0),
            },
          ]
        : []),
    ],
    warning: () => 'Withdrawals stop for good. What was taken stays on the current invoice.',
  },
  done: (one) => `Terminated ${employee.title(one)} off-cycle`,
  failed: (one) => `Something went wrong terminating ${employee.title(one)}`,
})
