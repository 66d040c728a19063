import { pause } from '#contract/employee-changes.ts'
import { employee } from '#entities/employee.ts'
import { defineCommand } from '#kernel/command.ts'
import { undoing } from '#kernel/plan.ts'

export default defineCommand({
  id: 'employee.pause',
  title: 'Pause employee',
  aliases: [
    'freeze',
    'suspend',
    'block',
    'hold',
    'put on hold',
    'stop withdrawals',
    'cancel withdrawals',
    'freeze account',
    'block account',
  ],
  on: employee,
  does: pause,
  keys: [{ scope: 'row', chord: 'p', toggles: 'employee.paused' }],
  undo: ({ before, after }) => undoing(pause, after, before),
  done: (one) => `Paused ${employee.title(one)}`,
  failed: (one) => `Something went wrong pausing ${employee.title(one)}`,
})
