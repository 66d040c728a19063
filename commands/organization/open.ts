import { listOrganizations } from '#contract/organizations.ts'
import { organization } from '#entities/organization.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand({
  id: 'organization.open',
  title: 'Jump to organization',
  aliases: ['go to organization', 'find organization', 'open organization'],
  icon: 'organization',
  on: organization,
  reads: listOrganizations,
  act: (desk, one) => desk.open(pathOf(organization, organization.id(one))),
})
