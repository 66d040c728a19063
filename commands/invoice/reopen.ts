import { close, reopen } from '#contract/invoice-changes.ts'
import { previewOf } from '#entities/invoice-preview.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'invoice.reopen',
  title: 'Reopen invoice',
  aliases: ['undo close'],
  icon: 'undo',
  on: invoice,
  does: reopen,
  keys: [{ scope: 'row', chord: 'c', toggles: 'invoice.closed' }],
  undo: ({ after }) => [close({ id: after.id }, { notes: 'Undone', version: after.version })],
  preview: (one) => previewOf(one, { status: 'SENT' }),
  amount: (one) => one.outstanding_amount,
  done: (one) => `Reopened ${one.number}`,
  failed: (one) => `Something went wrong reopening ${one.number}`,
})
