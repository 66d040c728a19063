import { createOrganization } from '#contract/organization-changes.ts'
import type { Organization } from '#contract/organizations.ts'
import { organization } from '#entities/organization.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand({
  id: 'organization.create',
  title: 'Create organization',
  aliases: ['add organization', 'new organization', 'new customer', 'onboard a customer'],
  does: createOrganization,
  form: createOrganization.body,
  plan: (_, params) => [createOrganization({}, params)],
  done: {
    message: (_, { name }) => `Created ${name}`,
    opens: ({ after }: { after: Organization }) => pathOf(organization, organization.id(after)),
  },
})
