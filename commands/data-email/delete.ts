import { createDataEmail, deleteDataEmail } from '#contract/data-emails.ts'
import { dataEmail } from '#entities/data-email.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'data-email.delete',
  title: 'Delete data e-mail',
  aliases: ['remove import email', 'remove data email'],
  on: dataEmail,
  does: deleteDataEmail,
  keys: [{ scope: 'row', chord: 'Backspace' }],
  preview: { warning: () => 'Files from this address are refused from now on. Its owner is notified by e-mail.' },
  plan: (one) => [deleteDataEmail({ id: one.id }, { version: one.version })],
  undo: ({ before }) => [
    createDataEmail(
      {},
      {
        ...(before.employer_id === null ? { organization_id: before.organization_id } : { employer_id: before.employer_id }),
        type: before.type,
        email: before.email,
      },
    ),
  ],
  done: (one) => `Deleted ${dataEmail.title(one)}`,
})
