import type { Employer } from '#contract/employers.ts'
import { changeConfiguration, createConfiguration } from '#contract/configurations.ts'
import {
  changedConfiguration,
  type ConfigurationFacts,
  configurationFacts,
  type ConfigurationParams,
  configurationPreview,
  employerConfigurationForm,
  inheritedConfiguration,
  savedConfiguration,
} from '#entities/pages/configuration-form.ts'
import { employer } from '#entities/employer.ts'
import { definePageForm } from '#kernel/page-form.ts'

export default definePageForm<Employer, ConfigurationFacts, ConfigurationParams>({
  id: 'employer.configure',
  title: 'Edit employer configuration',
  on: employer,
  does: [createConfiguration, changeConfiguration],
  form: employerConfigurationForm,
  facts: (one, read) => configurationFacts(read, { 'employer-id': employer.id(one) }),
  saved: ({ now }) => savedConfiguration(now),
  inherited: ({ now }) => inheritedConfiguration(now),
  preview: (_, params, facts) => configurationPreview(params, facts),
  confirms: (one, { now }) =>
    now.level === 'EMPLOYER'
      ? null
      : `Saving switches ${employer.title(one)} from organization to employer level. This cannot be undone.`,
  plan: (one, params, { now }) => {
    const body = changedConfiguration(params, now)
    return now.level === 'EMPLOYER' && now.id !== null
      ? [changeConfiguration({ id: now.id }, body)]
      : [createConfiguration({}, { employer_id: one.id, ...body })]
  },
  done: (one) => `Saved the configuration of ${employer.title(one)}`,
  failed: (one) => `Something went wrong saving the configuration of ${employer.title(one)}`,
})
