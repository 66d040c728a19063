import { resume } from '#contract/employee-changes.ts'
import { employee } from '#entities/employee.ts'
import { defineCommand } from '#kernel/command.ts'
import { undoing } from '#kernel/plan.ts'

export default defineCommand({
  id: 'employee.resume',
  title: 'Resume employee',
  aliases: [
    'unpause',
    'restart',
    'continue withdrawals',
    'reactivate',
    'unblock',
    'unfreeze',
    'unsuspend',
    'unfreeze account',
    'unblock account',
  ],
  sentence: {
    phrases: {
      resume: [
        'end pause',
        'stop pause',
        'cancel pause',
        'remove pause',
        'undo pause',
        'lift pause',
        'lift the pause',
        'take off hold',
      ],
    },
  },
  on: employee,
  suggestedFilter: { status: 'PAUSED' },
  does: resume,
  keys: [{ scope: 'row', chord: 'p', toggles: 'employee.paused' }],
  undo: ({ before: { pause }, after }) =>
    undoing(resume, after, { pause_reason: pause?.reason ?? null, pause_details: pause?.details ?? null }),
  done: (one) => `Resumed ${employee.title(one)}`,
  failed: (one) => `Something went wrong resuming ${employee.title(one)}`,
})
