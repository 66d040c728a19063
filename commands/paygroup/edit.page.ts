import { changePayGroup, confirmPayGroup, type PayGroup } from '#contract/pay-groups.ts'
import { payGroup } from '#entities/pay-group.ts'
import {
  type PayGroupFacts,
  payGroupField,
  payGroupFollows,
  payGroupForm,
  type PayGroupParams,
  payGroupPreview,
  payGroupSaved,
  payGroupTitle,
  payGroupValues,
  readPayGroup,
} from '#entities/pages/pay-group-form.ts'
import { definePageForm } from '#kernel/page-form.ts'

export default definePageForm<PayGroup, PayGroupFacts, PayGroupParams>({
  id: 'paygroup.edit',
  title: 'Edit pay group',
  on: payGroup,
  does: [changePayGroup, confirmPayGroup],
  form: payGroupForm,
  facts: readPayGroup,
  saved: ({ group }) => payGroupSaved(group),
  follows: payGroupFollows,
  preview: (_, params, facts) => payGroupPreview(params, facts.billing.business_date, facts),
  fieldAt: payGroupField,
  // Saving a derived group confirms it: from then on its periods follow these dates.
  plan: (one, params, { group: { derived, version } }) => {
    const body = { ...payGroupValues(params), version }
    return [derived ? confirmPayGroup({ id: one.id }, body) : changePayGroup({ id: one.id }, body)]
  },
  done: (_, params) => `Saved the pay group ${payGroupTitle(params)}`,
})
