import { listEmsConfigurations } from '#contract/ems-configurations.ts'
import { organization } from '#entities/organization.ts'
import { pathOf } from '#kernel/entity.ts'
import { defineScreen } from '#portal/ui/screen.ts'

/** `/organizations/100101/ems` */
export default defineScreen({
  title: 'EMS configuration',
  needs: listEmsConfigurations.needs,
  form: { command: 'organization.configure-ems', on: organization },
  back: (id) => `${pathOf(organization, id)}?tab=configurations`,
})
