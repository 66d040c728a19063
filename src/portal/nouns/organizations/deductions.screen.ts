import { listDeductionConfigurations } from '#contract/deduction-configurations.ts'
import { organization } from '#entities/organization.ts'
import { pathOf } from '#kernel/entity.ts'
import { defineScreen } from '#portal/ui/screen.ts'

/** `/organizations/100101/deductions` */
export default defineScreen({
  title: 'Deduction configuration',
  needs: listDeductionConfigurations.needs,
  form: { command: 'organization.configure-deductions', on: organization },
  back: (id) => `${pathOf(organization, id)}?tab=configurations`,
})
