import { CustomerSuccessManager, getCustomerSuccessManager, listCustomerSuccessManagers } from '#contract/organizations.ts'
import { isolated } from '#domain/text.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'

/** A customer success manager of organizations; chosen in forms and filters. */
export const customerSuccessManager = defineEntity<CustomerSuccessManager>({
  name: 'customer-success-manager',
  one: 'customer success manager',
  many: 'customer success managers',
  icon: 'user',
  ids: numbers({ prefix: 'CSM', written: true }),
  path: '/customer-success-managers',
  schema: CustomerSuccessManager,
  get: getCustomerSuccessManager,
  list: listCustomerSuccessManagers,
  query: {},
  rows: (answer: { customer_success_managers: CustomerSuccessManager[] }) => answer.customer_success_managers,
  filters: [],
  pane: false,
  id: (one) => String(one.id),
  title: (one) => isolated(one.name),
  subtitle: (one) => `CSM-${one.id}`,
  version: () => 0,
  keywords: () => [],
  confirmWith: (one) => one.name,
})
