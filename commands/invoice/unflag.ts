import { unflag } from '#contract/invoice-changes.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'invoice.unflag',
  title: 'Unflag debtor',
  aliases: ['resolve debtor flag'],
  icon: 'check',
  on: invoice,
  does: unflag,
  preview: {
    rows: (one) => [{ of: one.debtor_name, what: 'flagged', before: 'yes', after: 'no' }],
    warning: (one) => `Every flag of ${one.debtor_name} is resolved. This cannot be undone.`,
  },
  done: (one) => `Unflagged ${one.debtor_name}`,
})
