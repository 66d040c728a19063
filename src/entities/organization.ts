import {
  countOrganizations,
  getOrganization,
  listOrganizationEvents,
  listOrganizations,
  Organization,
  organizationFilters,
} from '#contract/organizations.ts'
import { brandOf } from '#domain/brand.ts'
import { companyStatuses } from '#domain/company.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'
import { isolated } from '#domain/text.ts'

/** A group of employers under one contract. */
export const organization = defineEntity<Organization>({
  name: 'organization',
  one: 'organization',
  many: 'organizations',
  icon: 'organization',
  ids: numbers({ alone: true }),
  path: '/organizations',
  schema: Organization,
  get: getOrganization,
  list: listOrganizations,
  count: countOrganizations,
  events: listOrganizationEvents,
  query: {},
  rows: (answer: { organizations: Organization[] }) => answer.organizations,
  filters: organizationFilters,
  orders: { date: 'created_at' },
  pane: true,
  tabs: {
    configurations: 'Configurations',
    employers: 'Employers',
    encryption: 'Encryption',
    'import-emails': 'Import Emails',
    integrations: 'Integrations',
    'billing-accounts': 'Billing Accounts',
    history: 'History',
  },
  id: (one) => String(one.id),
  title: (one) => isolated(one.name),
  subtitle: (one) => [one.id, one.source_code, brandOf(one.brand).name].join(' · '),
  status: { of: (one) => one.status, states: companyStatuses },
  version: (one) => one.version,
  keywords: (one) => [one.lookup_name, one.source_code],
  confirmWith: (one) => one.name,
})
