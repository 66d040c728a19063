import { type EmsConfiguration, getEmsConfiguration, saveEmsConfiguration } from '#contract/ems-configurations.ts'
import type { Employer } from '#contract/employers.ts'
import { emsForm, type EmsParams, emsValues, inheritedEms, savedEms } from '#entities/pages/ems-configuration-form.ts'
import { employer } from '#entities/employer.ts'
import { definePageForm } from '#kernel/page-form.ts'

export default definePageForm<Employer, EmsConfiguration, EmsParams>({
  id: 'employer.configure-ems',
  title: 'Edit EMS configuration of an employer',
  on: employer,
  does: [saveEmsConfiguration],
  form: emsForm,
  facts: (one, read) => read(getEmsConfiguration, { id: employer.id(one) }),
  saved: savedEms,
  inherited: inheritedEms,
  confirms: (one, { level }) =>
    level === 'EMPLOYER' ? null : `Saving gives ${employer.title(one)} an EMS configuration of its own. This cannot be undone.`,
  fieldAt: (path) => (path === 'partner_external_url' ? 'redirect_url' : path),
  plan: (one, params, now) => [saveEmsConfiguration({}, { employer_id: one.id, ...emsValues(params, now) })],
  done: (one) => `Saved the EMS configuration of ${employer.title(one)}`,
})
