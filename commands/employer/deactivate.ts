import { deactivate } from '#contract/employer-changes.ts'
import { employer } from '#entities/employer.ts'
import { defineCommand } from '#kernel/command.ts'
import { undoing } from '#kernel/plan.ts'

export default defineCommand({
  id: 'employer.deactivate',
  title: 'De-activate employer',
  aliases: ['disable employer', 'cancel employer'],
  on: employer,
  does: deactivate,
  keys: [{ scope: 'row', chord: 'p', toggles: 'employer.status' }],
  preview: { warning: () => 'Its employees can no longer use the app: their withdrawals are refused.' },
  undo: ({ before, after }) => undoing(deactivate, after, before),
  done: (one) => `De-activated ${employer.title(one)}`,
})
