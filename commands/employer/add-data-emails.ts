import { z } from 'zod'
import { createDataEmails, dataEmailFields } from '#contract/data-emails.ts'
import type { Employer } from '#contract/employers.ts'
import { employer } from '#entities/employer.ts'
import { defineCommand } from '#kernel/command.ts'

const form = z.object(dataEmailFields)

export default defineCommand<Employer, typeof createDataEmails, z.input<typeof form>>({
  id: 'employer.add-data-emails',
  title: 'Add data e-mails of employer',
  aliases: ['import emails of employer'],
  icon: 'plus',
  on: employer,
  does: createDataEmails,
  bulk: false,
  refuses: () => null,
  form,
  plan: (one, typed) => [createDataEmails({}, { employer_id: one.id, ...typed })],
  done: (_, { types }) => (types.length === 1 ? 'Data e-mail added' : 'Data e-mails added'),
  failed: () => 'Could not create Data Emails',
})
