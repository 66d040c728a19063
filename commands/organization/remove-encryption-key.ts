import { editOrganization } from '#contract/organization-changes.ts'
import type { Organization } from '#contract/organizations.ts'
import { organization } from '#entities/organization.ts'
import { organizationValues } from '#entities/forms/organization-values.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand<Organization, typeof editOrganization, Record<string, never>>({
  id: 'organization.remove-encryption-key',
  title: 'Remove encryption key',
  aliases: ['delete public key', 'stop encrypting files'],
  on: organization,
  does: editOrganization,
  keys: [{ scope: 'row', chord: 'Backspace', tab: 'organization.encryption', toggles: 'organization.tab' }],
  unavailable: (_, one) => (one && !one.encryption ? { sentence: 'This organization has no encryption key.' } : null),
  undo: { irreversible: true },
  preview: { warning: () => 'EWA files are not encrypted from now on.' },
  plan: (one) => [editOrganization({ id: one.id }, { ...organizationValues(one), encryption_key: null, version: one.version })],
  done: (one) => `Removed the encryption key of ${organization.title(one)}`,
})
