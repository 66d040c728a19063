import { listDeductionConfigurations } from '#contract/deduction-configurations.ts'
import { employer } from '#entities/employer.ts'
import { pathOf } from '#kernel/entity.ts'
import { defineScreen } from '#portal/ui/screen.ts'

/** `/employers/100101/deductions` */
export default defineScreen({
  title: 'Deduction configuration',
  needs: listDeductionConfigurations.needs,
  form: { command: 'employer.configure-deductions', on: employer },
  back: (id) => `${pathOf(employer, id)}?tab=configurations`,
})
