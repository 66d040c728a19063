import { z } from 'zod'
import { createDataEmail } from '#contract/data-emails.ts'
import type { Employer } from '#contract/employers.ts'
import { employer } from '#entities/employer.ts'
import { checkAddresses, dataEmailCalls, dataEmailField, dataEmailFields } from '#entities/forms/data-email-form.ts'
import { defineCommand } from '#kernel/command.ts'

const form = z.object(dataEmailFields).superRefine(checkAddresses)

export default defineCommand<Employer, typeof createDataEmail, z.input<typeof form>>({
  id: 'employer.add-data-emails',
  title: 'Add data e-mails of employer',
  aliases: ['import emails of employer'],
  on: employer,
  does: createDataEmail,
  form,
  plan: { calls: (one, typed) => dataEmailCalls({ employer_id: one.id }, typed), fieldOf: dataEmailField },
  done: (_, { types }) => (types.length === 1 ? 'Data e-mail added' : 'Data e-mails added'),
  failed: () => 'Could not create Data Emails',
})
