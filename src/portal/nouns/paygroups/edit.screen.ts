import { listPayGroups } from '#contract/pay-groups.ts'
import { employer } from '#entities/employer.ts'
import { payGroup } from '#entities/pay-group.ts'
import { defineScreen } from '#portal/ui/screen.ts'

/** `/paygroups/80001/edit` */
export default defineScreen({
  title: 'Pay group',
  needs: listPayGroups.needs,
  form: { command: 'paygroup.edit', on: payGroup },
  back: (_, known) => {
    const { data } = payGroup.schema.safeParse(known)
    return data ? `${employer.path}/${data.employer_id}?tab=payroll-group` : employer.path
  },
})
