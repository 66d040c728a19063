import { close } from '#contract/invoice-changes.ts'
import { formatCents } from '#domain/money.ts'
import { previewOf } from '#entities/forms/invoice-preview.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'
import { undoing } from '#kernel/plan.ts'

export default defineCommand({
  id: 'invoice.close',
  title: 'Close invoice',
  aliases: ['mark as paid', 'settle invoice'],
  on: invoice,
  does: close,
  keys: [{ scope: 'row', chord: 'c', toggles: 'invoice.closed' }],
  undo: ({ before, after }) => undoing(close, after, before),
  preview: {
    rows: (one) => previewOf(one, { status: 'CLOSED' }),
    warning: (one) =>
      one.outstanding_amount > 0 ? `${formatCents(one.outstanding_amount)} is outstanding; the invoice stays underpaid.` : null,
  },
  done: (one) => `Closed ${one.number}`,
})
