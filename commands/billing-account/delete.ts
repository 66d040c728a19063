import { deleteBillingAccount } from '#contract/billing-account-changes.ts'
import { billingAccount } from '#entities/billing-account.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'billing-account.delete',
  title: 'Delete billing account',
  aliases: ['remove billing account'],
  on: billingAccount,
  does: deleteBillingAccount,
  bulk: false,
  keys: [{ scope: 'row', chord: 'Backspace' }],
  undo: { irreversible: true },
  preview: {
    warning: ({ in_flight_count: flying }) =>
      [
        'No further debit is made from it. It stays in the list as deleted.',
        flying === 1 ? '1 debit that is under way goes on.' : flying > 1 ? `${flying} debits that are under way go on.` : null,
      ]
        .filter(Boolean)
        .join(' '),
  },
  done: () => 'Billing account deleted',
  failed: () => 'Something went wrong saving the billing account configuration',
})
