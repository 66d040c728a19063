import type { z } from 'zod'
import { editOrganization, encryptionKeyForm } from '#contract/organization-changes.ts'
import type { Organization } from '#contract/organizations.ts'
import { organization } from '#entities/organization.ts'
import { organizationValues } from '#entities/forms/organization-values.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand<Organization, typeof editOrganization, z.input<typeof encryptionKeyForm>>({
  id: 'organization.set-encryption-key',
  title: 'Set encryption key',
  aliases: ['public key', 'pgp key', 'encrypt files'],
  icon: 'key',
  on: organization,
  does: editOrganization,
  keys: [{ scope: 'row', chord: 'i', tab: 'organization.encryption', toggles: 'organization.tab' }],
  form: encryptionKeyForm,
  preview: {
    warning: ({ encryption }) =>
      encryption ? 'EWA files are encrypted to the new key from now on; those who have only the old one cannot read them.' : null,
  },
  plan: (one, { encryption_key }) => [
    editOrganization({ id: one.id }, { ...organizationValues(one), encryption_key, version: one.version }),
  ],
  done: (one) => `Set the encryption key of ${organization.title(one)}`,
})
