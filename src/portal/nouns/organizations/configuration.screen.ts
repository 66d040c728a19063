import { configurationCalls } from '#contract/configuration-calls.ts'
import { organization } from '#entities/organization.ts'
import { pathOf } from '#kernel/entity.ts'
import { defineScreen } from '#portal/ui/screen.ts'

/** `/organizations/100001/configuration` */
export default defineScreen({
  title: 'Configuration',
  needs: configurationCalls.read.needs,
  form: { command: 'organization.configure', on: organization },
  back: (id) => `${pathOf(organization, id)}?tab=configurations`,
})
