import { dayOf, dayText } from '#domain/day-text.ts'
import { payBySelf } from '#contract/invoice-changes.ts'
import { previewOf } from '#entities/forms/invoice-preview.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'invoice.pay-by-self',
  title: 'Switch invoice to self pay',
  aliases: ['cancel debit'],
  icon: 'send',
  on: invoice,
  suggestedFilter: { status: 'SCHEDULED' },
  does: payBySelf,
  preview: {
    rows: (one) => previewOf(one, { status: 'SENT', debit: null }),
    warning: (one) => (one.ach ? `The debit of ${dayText(dayOf(one.ach.debit_date))} is cancelled.` : null),
  },
  done: (one) => `${one.number} is paid by the debtor`,
})
