import type { Employer } from '#contract/employers.ts'
import { createIntegration } from '#contract/integrations.ts'
import { employer } from '#entities/employer.ts'
import { integrationBody, integrationForm, type IntegrationParams } from '#entities/forms/integration-form.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand<Employer, typeof createIntegration, IntegrationParams>({
  id: 'employer.add-integration',
  title: 'Add integration of employer',
  aliases: ['new integration of employer'],
  on: employer,
  does: createIntegration,
  keys: [{ scope: 'row', chord: 'i', tab: 'employer.integrations', toggles: 'employer.tab' }],
  form: integrationForm,
  plan: (one, typed) => [createIntegration({}, { employer_id: one.id, ...integrationBody(typed) })],
  done: (_, { import_types }) => (import_types.length === 1 ? 'Integration added' : 'Integrations added'),
})
