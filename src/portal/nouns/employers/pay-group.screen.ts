import { listPayGroups } from '#contract/pay-groups.ts'
import { employer } from '#entities/employer.ts'
import { pathOf } from '#kernel/entity.ts'
import { defineScreen } from '#portal/ui/screen.ts'

/** `/employers/100101/pay-group`: creates a pay group. */
export default defineScreen({
  title: 'New pay group',
  needs: listPayGroups.needs,
  form: { command: 'employer.add-pay-group', on: employer },
  back: (id) => `${pathOf(employer, id)}?tab=payroll-group`,
})
