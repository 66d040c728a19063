import { frequencyLabels } from '#contract/employees.ts'
import { getPayGroup, listPayGroups, PayGroup } from '#contract/pay-groups.ts'
import { payGroupStates } from '#domain/pay-group.ts'
import { isolated } from '#domain/text.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'

/** Employees of an employer who are paid together; only found in the tab Payroll Group of the employer. */
export const payGroup = defineEntity<PayGroup>({
  name: 'paygroup',
  one: 'pay group',
  many: 'pay groups',
  icon: 'time',
  ids: numbers({ prefix: 'PG' }),
  path: '/paygroups',
  schema: PayGroup,
  get: getPayGroup,
  list: listPayGroups,
  query: {},
  rows: (answer: { paygroups: PayGroup[] }) => answer.paygroups,
  filters: [],
  pane: false,
  foundIn: 'the tab Payroll Group of an employer',
  id: (one) => String(one.id),
  title: (one) => isolated(one.name),
  subtitle: (one) => [one.external_code, frequencyLabels[one.payroll_frequency], isolated(one.employer_name)].join(' · '),
  status: { of: (one) => (one.derived ? 'DERIVED' : 'CONFIRMED'), states: payGroupStates },
  version: (one) => one.version,
  keywords: (one) => [one.external_code],
  confirmWith: (one) => one.external_code,
})
