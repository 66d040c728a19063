import {
  changeDeductionConfiguration,
  createDeductionConfiguration,
  type DeductionConfiguration,
} from '#contract/deduction-configurations.ts'
import type { Employer } from '#contract/employers.ts'
import {
  changedDeductions,
  deductionForm,
  type DeductionParams,
  inheritedDeductions,
  readDeductionsOfEmployer,
  savedDeductions,
} from '#entities/pages/deduction-configuration-form.ts'
import { employer } from '#entities/employer.ts'
import { definePageForm } from '#kernel/page-form.ts'

export default definePageForm<Employer, DeductionConfiguration, DeductionParams>({
  id: 'employer.configure-deductions',
  title: 'Edit deduction configuration of an employer',
  on: employer,
  does: [createDeductionConfiguration, changeDeductionConfiguration],
  form: deductionForm,
  facts: (one, read) => readDeductionsOfEmployer(read, one),
  saved: savedDeductions,
  inherited: inheritedDeductions,
  confirms: (one, { level }) =>
    level === 'EMPLOYER'
      ? null
      : `Saving gives ${employer.title(one)} a deduction configuration of its own. This cannot be undone.`,
  plan: (one, params, now) =>
    now.level === 'EMPLOYER' && now.id !== null
      ? [changeDeductionConfiguration({ id: now.id }, changedDeductions(params, now))]
      : [createDeductionConfiguration({}, { employer_id: one.id, ...changedDeductions(params, now) })],
  done: (one) => `Saved the deduction configuration of ${employer.title(one)}`,
})
