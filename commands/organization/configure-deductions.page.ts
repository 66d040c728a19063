import {
  changeDeductionConfiguration,
  createDeductionConfiguration,
  type DeductionConfiguration,
} from '#contract/deduction-configurations.ts'
import type { Organization } from '#contract/organizations.ts'
import {
  changedDeductions,
  deductionForm,
  type DeductionParams,
  readDeductionsOfOrganization,
  savedDeductions,
} from '#entities/pages/deduction-configuration-form.ts'
import { organization } from '#entities/organization.ts'
import { definePageForm } from '#kernel/page-form.ts'

export default definePageForm<Organization, DeductionConfiguration, DeductionParams>({
  id: 'organization.configure-deductions',
  title: 'Edit deduction configuration of an organization',
  on: organization,
  does: [createDeductionConfiguration, changeDeductionConfiguration],
  form: deductionForm,
  facts: (one, read) => readDeductionsOfOrganization(read, one.id),
  saved: savedDeductions,
  plan: (one, params, now) =>
    now.id !== null
      ? [changeDeductionConfiguration({ id: now.id }, changedDeductions(params, now))]
      : [createDeductionConfiguration({}, { organization_id: one.id, ...changedDeductions(params, now) })],
  done: (one) => `Saved the deduction configuration of ${organization.title(one)}`,
})
