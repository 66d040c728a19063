import { type EmsConfiguration, saveEmsConfiguration } from '#contract/ems-configurations.ts'
import type { Organization } from '#contract/organizations.ts'
import { emsForm, type EmsParams, emsValues, readEmsOfOrganization, savedEms } from '#entities/pages/ems-configuration-form.ts'
import { organization } from '#entities/organization.ts'
import { definePageForm } from '#kernel/page-form.ts'

export default definePageForm<Organization, EmsConfiguration, EmsParams>({
  id: 'organization.configure-ems',
  title: 'Edit EMS configuration of an organization',
  on: organization,
  does: [saveEmsConfiguration],
  form: emsForm,
  facts: (one, read) => readEmsOfOrganization(read, organization.id(one)),
  saved: savedEms,
  fieldAt: (path) => (path === 'partner_external_url' ? 'redirect_url' : path),
  plan: (one, params, now) => [saveEmsConfiguration({}, { organization_id: one.id, ...emsValues(params, now) })],
  done: (one) => `Saved the EMS configuration of ${organization.title(one)}`,
})
