import type { Employer } from '#contract/employers.ts'
import { changeConfiguration, changeLmsConfiguration, createConfiguration } from '#contract/configurations.ts'
import {
  changedEmployerConfiguration,
  type ConfigurationParams,
  configurationPreview,
  type EmployerConfigurationFacts,
  employerConfigurationFacts,
  employerConfigurationForm,
  fixedLmsFields,
  inheritedConfiguration,
  savedConfiguration,
} from '#entities/pages/configuration-form.ts'
import { employer } from '#entities/employer.ts'
import { definePageForm } from '#kernel/page-form.ts'

export default definePageForm<Employer, EmployerConfigurationFacts, ConfigurationParams>({
  id: 'employer.configure',
  title: 'Edit employer configuration',
  on: employer,
  does: [createConfiguration, changeConfiguration, changeLmsConfiguration],
  form: employerConfigurationForm,
  facts: (one, read) => employerConfigurationFacts(read, one.id),
  fixed: fixedLmsFields,
  saved: ({ now }) => savedConfiguration(now),
  inherited: ({ now }) => inheritedConfiguration(now),
  preview: (_, params, facts) => configurationPreview(params, facts),
  confirms: (one, { now }) =>
    now.level === 'EMPLOYER'
      ? null
      : `Saving switches ${employer.title(one)} from organization to employer level. This cannot be undone.`,
  plan: (one, params, facts) => {
    const { now } = facts
    const { lms, rest, whole } = changedEmployerConfiguration(params, facts)
    // The switch of level creates both configurations of the employer in one request.
    if (now.level !== 'EMPLOYER' || now.id === null) return [createConfiguration({}, { employer_id: one.id, ...whole })]
    return [
      // First, because saving the other terms increments the version of the LMS configuration.
      ...(lms ? [changeLmsConfiguration({ id: lms.id }, lms.body)] : []),
      ...(rest ? [changeConfiguration({ id: now.id }, rest)] : []),
    ]
  },
  done: (one) => `Saved the configuration of ${employer.title(one)}`,
})
