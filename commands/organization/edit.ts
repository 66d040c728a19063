import { editOrganization } from '#contract/organization-changes.ts'
import type { Organization } from '#contract/organizations.ts'
import { organization } from '#entities/organization.ts'
import { defineCommand } from '#kernel/command.ts'

/** What a person may change of an organization, as it is. */
const valuesOf = ({ name, lookup_name, brand, source_code, csm, notes, status }: Organization) => ({
  name,
  lookup_name,
  brand,
  source_code,
  csm_id: csm?.id,
  notes: notes ?? undefined,
  status,
})

export default defineCommand({
  id: 'organization.edit',
  title: 'Edit organization',
  aliases: ['rename organization', 'customer success manager', 'change organization'],
  icon: 'edit',
  on: organization,
  does: editOrganization,
  bulk: false,
  keys: [{ scope: 'row', chord: 'e' }],
  start: (one) => (one ? valuesOf(one) : {}),
  undo: ({ before, after }: { before: Organization; after: Organization }) => [
    editOrganization({ id: after.id }, { ...valuesOf(before), version: after.version }),
  ],
  done: (one) => `Changed ${organization.title(one)}`,
  failed: (one) => `Something went wrong changing ${organization.title(one)}`,
})
