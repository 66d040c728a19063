import { createIntegration } from '#contract/integrations.ts'
import type { Organization } from '#contract/organizations.ts'
import { integrationBody, integrationForm, type IntegrationParams } from '#entities/forms/integration-form.ts'
import { organization } from '#entities/organization.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand<Organization, typeof createIntegration, IntegrationParams>({
  id: 'organization.add-integration',
  title: 'Add integration',
  aliases: ['new integration', 'connect payroll provider'],
  on: organization,
  does: createIntegration,
  keys: [{ scope: 'row', chord: 'i', tab: 'organization.integrations', toggles: 'organization.tab' }],
  form: integrationForm,
  plan: (one, typed) => [createIntegration({}, { organization_id: one.id, ...integrationBody(typed) })],
  done: (_, { import_types }) => (import_types.length === 1 ? 'Integration added' : 'Integrations added'),
})
