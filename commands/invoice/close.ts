import { close, reopen } from '#contract/invoice-changes.ts'
import { formatCents } from '#domain/money.ts'
import { previewOf } from '#entities/invoice-preview.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'invoice.close',
  title: 'Close invoice',
  aliases: ['mark as paid', 'settle invoice'],
  icon: 'check',
  on: invoice,
  does: close,
  keys: [{ scope: 'row', chord: 'c', toggles: 'invoice.closed' }],
  // Reopened it would be Sent, whatever it was before.
  undo: ({ before, after }) =>
    before.status === 'SENT' ? [reopen({ id: after.id }, { notes: 'Undone', version: after.version })] : null,
  warning: (one) =>
    one.outstanding_amount > 0 ? `${formatCents(one.outstanding_amount)} is outstanding; the invoice stays underpaid.` : null,
  preview: (one) => previewOf(one, { status: 'CLOSED' }),
  amount: (one) => one.outstanding_amount,
  done: (one) => `Closed ${one.number}`,
  failed: (one) => `Something went wrong closing ${one.number}`,
})
