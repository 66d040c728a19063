import { getEmsConfiguration } from '#contract/ems-configurations.ts'
import { employer } from '#entities/employer.ts'
import { pathOf } from '#kernel/entity.ts'
import { defineScreen } from '#portal/ui/screen.ts'

/** `/employers/100101/ems` */
export default defineScreen({
  title: 'EMS configuration',
  needs: getEmsConfiguration.needs,
  form: { command: 'employer.configure-ems', on: employer },
  back: (id) => `${pathOf(employer, id)}?tab=configurations`,
})
