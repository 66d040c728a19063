import { pause, resume } from '#contract/employees.ts'
import { employee } from '#entities/employee.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'employee.resume',
  title: 'Resume employee',
  aliases: ['unpause', 'continue withdrawals'],
  icon: 'play',
  on: employee,
  does: resume,
  keys: [{ scope: 'row', chord: 'p', toggles: 'employee.paused' }],
  undo: ({ before, after }) => [
    pause(
      { id: after.id },
      { reason: before.pause?.reason ?? 'Undone', details: before.pause?.details ?? undefined, version: after.version },
    ),
  ],
  done: (one) => `Resumed ${employee.title(one)}`,
  failed: (one) => `Something went wrong resuming ${employee.title(one)}`,
})
