import { deleteBankAccount } from '#contract/linked-accounts.ts'
import { canDeleteCard } from '#domain/linked-account.ts'
import { linkedAccount } from '#entities/linked-account.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'bank-account.delete',
  title: 'Delete bank account',
  aliases: ['remove bank account', 'disconnect bank account', 'change bank account', 'new bank account'],
  on: linkedAccount,
  does: deleteBankAccount,
  keys: [{ scope: 'row', chord: 'Backspace', toggles: 'linked-account.kind' }],
  unavailable: (_, one) =>
    !one
      ? { sentence: 'Open the linked accounts of an employee or a user and choose a bank account.' }
      : one.kind === 'BANK_ACCOUNT'
        ? null
        : (canDeleteCard(one) ?? { sentence: 'This is a card.' }),
  plan: (one) => [deleteBankAccount({ id: one.user_id, bankAccountId: one.id }, { version: one.version })],
  undo: { irreversible: true },
  preview: { warning: () => 'Only its owner can link the bank account again, in the app.' },
  done: (one) => `Deleted the bank account ${linkedAccount.title(one)}`,
})
