import type { z } from 'zod'
import { createEmployer } from '#contract/employer-changes.ts'
import type { Organization } from '#contract/organizations.ts'
import { employer } from '#entities/employer.ts'
import { organization } from '#entities/organization.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

const form = createEmployer.body.omit({ organization_id: true })

export default defineCommand<Organization, typeof createEmployer, z.input<typeof form>>({
  id: 'organization.add-employer',
  title: 'Add employer to organization',
  aliases: ['create employer', 'new employer'],
  on: organization,
  does: createEmployer,
  form: { schema: form, start: (one) => (one ? { brand: one.brand } : {}) },
  plan: (one, params) => [createEmployer({}, { ...params, organization_id: one.id })],
  done: {
    message: (_, { internal_name }) => `Added the employer ${internal_name}`,
    opens: ({ answers }) => {
      const made = employer.schema.parse(answers[0])
      return pathOf(employer, employer.id(made))
    },
  },
})
