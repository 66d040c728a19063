import { z } from 'zod'
import { createDataEmail } from '#contract/data-emails.ts'
import { reference } from '#contract/fields.ts'
import type { Organization } from '#contract/organizations.ts'
import { checkAddresses, dataEmailCalls, dataEmailField, dataEmailFields } from '#entities/forms/data-email-form.ts'
import { organization } from '#entities/organization.ts'
import { defineCommand } from '#kernel/command.ts'

const form = (within: string) =>
  z
    .object({
      ...dataEmailFields,
      employer_id: reference('Only for the employer', 'employer', {
        within: { 'organization-id': within },
        help: 'Without one, for all employers of the organization',
      }).optional(),
    })
    .superRefine(checkAddresses)
type Params = z.input<ReturnType<typeof form>>

export default defineCommand<Organization, typeof createDataEmail, Params>({
  id: 'organization.add-data-emails',
  title: 'Add data e-mails',
  aliases: ['import emails', 'timekeeping e-mail', 'eligible employee e-mail'],
  on: organization,
  does: createDataEmail,
  keys: [{ scope: 'row', chord: 'i', tab: 'organization.import-emails', toggles: 'organization.tab' }],
  form: (_, one) => form(one ? organization.id(one) : ''),
  plan: {
    calls: (one, { employer_id, ...typed }) =>
      dataEmailCalls(employer_id === undefined ? { organization_id: one.id } : { employer_id }, typed),
    fieldOf: dataEmailField,
  },
  done: (_, { types }) => (types.length === 1 ? 'Data e-mail added' : 'Data e-mails added'),
  failed: () => 'Could not create Data Emails',
})
