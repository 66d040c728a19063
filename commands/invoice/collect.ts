import { collect } from '#contract/invoice-changes.ts'
import { previewOf } from '#entities/forms/invoice-preview.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'invoice.collect',
  title: 'Collect invoice manually',
  aliases: ['send returned invoice'],
  on: invoice,
  suggestedFilter: { status: 'RETURNED,PARTIALLY_RETURNED' },
  does: collect,
  preview: (one) => previewOf(one, { status: 'SENT' }),
  done: (one) => `${one.number} is collected manually`,
})
