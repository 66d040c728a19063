import { countEmployers, Employer, employerFilters, getEmployer, listEmployerEvents, listEmployers } from '#contract/employers.ts'
import { brandOf } from '#domain/brand.ts'
import { companyStatuses } from '#domain/company.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'
import { isolated } from '#domain/text.ts'

/** A company whose employees may withdraw earned wages. */
export const employer = defineEntity<Employer>({
  name: 'employer',
  one: 'employer',
  many: 'employers',
  aliases: ['companies'],
  icon: 'building',
  ids: numbers({ alone: true }),
  path: '/employers',
  schema: Employer,
  get: getEmployer,
  list: listEmployers,
  count: countEmployers,
  events: listEmployerEvents,
  query: {},
  rows: (answer: { employers: Employer[] }) => answer.employers,
  filters: employerFilters,
  orders: { date: 'created_at' },
  pane: true,
  tabs: {
    configurations: 'Configurations',
    integrations: 'Integrations',
    'file-mapping': 'File Mapping',
    'ewa-files': 'EWA Files',
    invoices: 'Invoices',
    communications: 'Communications',
    'payroll-group': 'Payroll Group',
    timekeepings: 'Timekeepings',
    onboarding: 'Onboarding',
    history: 'History',
  },
  id: (one) => String(one.id),
  title: (one) => isolated(one.internal_name),
  subtitle: (one) => [one.id, one.external_code, isolated(one.organization_name), brandOf(one.brand).name].join(' · '),
  status: { of: (one) => one.status, states: companyStatuses },
  version: (one) => one.version,
  keywords: (one) => [one.external_code, one.external_name],
  confirmWith: (one) => one.internal_name,
})
