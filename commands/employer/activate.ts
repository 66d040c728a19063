import { activate } from '#contract/employer-changes.ts'
import { employer } from '#entities/employer.ts'
import { defineCommand } from '#kernel/command.ts'
import { undoing } from '#kernel/plan.ts'

export default defineCommand({
  id: 'employer.activate',
  title: 'Activate employer',
  aliases: ['enable employer', 'take live', 'reactivate employer'],
  on: employer,
  suggestedFilter: { status: 'INACTIVE' },
  does: activate,
  keys: [{ scope: 'row', chord: 'p', toggles: 'employer.status' }],
  preview: { warning: () => 'Its employees can use the app again.' },
  undo: ({ before, after }) => undoing(activate, after, before),
  done: (one) => `Activated ${employer.title(one)}`,
})
