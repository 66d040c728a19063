import { reopen } from '#contract/invoice-changes.ts'
import { previewOf } from '#entities/forms/invoice-preview.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'
import { undoing } from '#kernel/plan.ts'

export default defineCommand({
  id: 'invoice.reopen',
  title: 'Reopen invoice',
  aliases: ['undo close'],
  on: invoice,
  suggestedFilter: { status: 'CLOSED' },
  does: reopen,
  keys: [{ scope: 'row', chord: 'c', toggles: 'invoice.closed' }],
  undo: ({ before, after }) => undoing(reopen, after, before),
  preview: (one) => previewOf(one, { status: 'SENT' }),
  done: (one) => `Reopened ${one.number}`,
})
