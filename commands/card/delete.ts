import { deleteCard } from '#contract/linked-accounts.ts'
import { canDeleteBankAccount } from '#domain/linked-account.ts'
import { linkedAccount } from '#entities/linked-account.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'card.delete',
  title: 'Delete card',
  aliases: ['remove card', 'cancel card', 'lost card', 'stolen card', 'disconnect card'],
  on: linkedAccount,
  does: deleteCard,
  form: deleteCard.body.omit({ version: true }),
  keys: [{ scope: 'row', chord: 'Backspace', toggles: 'linked-account.kind' }],
  unavailable: (_, one) =>
    !one
      ? { sentence: 'Open the linked accounts of an employee or a user and choose a card.' }
      : one.kind === 'CARD'
        ? null
        : (canDeleteBankAccount(one) ?? { sentence: 'This is a bank account.' }),
  plan: (one, { reason, notes }) => [deleteCard({ id: one.user_id, cardId: one.id }, { reason, notes, version: one.version })],
  undo: { irreversible: true },
  preview: { warning: () => 'Only its owner can link the card again, in the app.' },
  done: (one) => `Deleted the card ${linkedAccount.title(one)}`,
})
