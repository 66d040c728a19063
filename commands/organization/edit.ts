import { editOrganization } from '#contract/organization-changes.ts'
import type { Organization } from '#contract/organizations.ts'
import { organizationValues } from '#entities/forms/organization-values.ts'
import { organization } from '#entities/organization.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'organization.edit',
  title: 'Edit organization',
  aliases: ['rename', 'rename organization', 'change organization'],
  on: organization,
  does: editOrganization,
  bulk: false,
  keys: [{ scope: 'row', chord: 'e' }],
  form: { start: (one) => (one ? organizationValues(one) : {}) },
  undo: ({ before, after }: { before: Organization; after: Organization }) => [
    editOrganization({ id: after.id }, { ...organizationValues(before), version: after.version }),
  ],
  done: (one, _, after) => `Changed ${organization.title(after ?? one)}`,
})
