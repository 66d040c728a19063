import { changeConfiguration, createConfiguration } from '#contract/configurations.ts'
import type { Organization } from '#contract/organizations.ts'
import {
  changedConfiguration,
  type ConfigurationFacts,
  configurationFacts,
  type ConfigurationParams,
  configurationPreview,
  organizationConfigurationForm,
  savedConfiguration,
} from '#entities/pages/configuration-form.ts'
import { organization } from '#entities/organization.ts'
import { definePageForm } from '#kernel/page-form.ts'

export default definePageForm<Organization, ConfigurationFacts, ConfigurationParams>({
  id: 'organization.configure',
  title: 'Edit organization configuration',
  on: organization,
  does: [createConfiguration, changeConfiguration],
  form: organizationConfigurationForm,
  facts: (one, read) => configurationFacts(read, { 'organization-id': organization.id(one) }),
  saved: ({ now }) => savedConfiguration(now),
  preview: (_, params, facts) => configurationPreview(params, facts),
  plan: (one, params, { now }) => {
    const body = changedConfiguration(params, now)
    return now.id !== null
      ? [changeConfiguration({ id: now.id }, body)]
      : [createConfiguration({}, { organization_id: one.id, ...body })]
  },
  done: (one) => `Saved the configuration of ${organization.title(one)}`,
})
