import type { z } from 'zod'
import { csmForm, editOrganization } from '#contract/organization-changes.ts'
import type { Organization } from '#contract/organizations.ts'
import { organization } from '#entities/organization.ts'
import { organizationValues } from '#entities/forms/organization-values.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand<Organization, typeof editOrganization, z.input<typeof csmForm>>({
  id: 'organization.set-csm',
  title: 'Set customer success manager',
  aliases: ['csm', 'set csm', 'assign csm', 'change csm', 'assign customer success manager'],
  icon: 'edit',
  on: organization,
  does: editOrganization,
  form: { schema: csmForm, start: (one) => ({ csm_id: one?.csm?.id }) },
  plan: (one, { csm_id }) => [editOrganization({ id: one.id }, { ...organizationValues(one), csm_id, version: one.version })],
  undo: ({ before, after }) => [
    editOrganization({ id: after.id }, { ...organizationValues(after), csm_id: before.csm?.id, version: after.version }),
  ],
  done: (one) => `Set the customer success manager of ${organization.title(one)}`,
})
