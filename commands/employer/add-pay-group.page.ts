import type { Employer } from '#contract/employers.ts'
import { createPayGroup } from '#contract/pay-groups.ts'
import { employer } from '#entities/employer.ts'
import {
  payGroupField,
  payGroupFollows,
  payGroupForm,
  type PayGroupParams,
  payGroupPreview,
  payGroupTitle,
  payGroupValues,
  readToday,
} from '#entities/pages/pay-group-form.ts'
import { pathOf } from '#kernel/entity.ts'
import { definePageForm } from '#kernel/page-form.ts'

export default definePageForm<Employer, { today: string }, PayGroupParams>({
  id: 'employer.add-pay-group',
  title: 'Add pay group',
  on: employer,
  does: [createPayGroup],
  makes: true,
  form: payGroupForm,
  facts: async (_, read) => ({ today: await readToday(read) }),
  saved: () => ({ adjustment_type: 'NEXT_BUSINESS_DAY' }),
  follows: payGroupFollows,
  preview: (_, params, { today }) => payGroupPreview(params, today, null),
  fieldAt: payGroupField,
  opens: (one) => `${pathOf(employer, employer.id(one))}?tab=payroll-group`,
  plan: (one, params) => [createPayGroup({}, { employer_id: one.id, ...payGroupValues(params) })],
  done: (one, params) => `Added the pay group ${payGroupTitle(params)} to ${employer.title(one)}`,
})
