import { configurationCalls } from '#contract/configuration-calls.ts'
import { employer } from '#entities/employer.ts'
import { pathOf } from '#kernel/entity.ts'
import { defineScreen } from '#portal/ui/screen.ts'

/** `/employers/100101/configuration` */
export default defineScreen({
  title: 'Configuration',
  needs: configurationCalls.read.needs,
  form: { command: 'employer.configure', on: employer },
  back: (id) => `${pathOf(employer, id)}?tab=configurations`,
})
