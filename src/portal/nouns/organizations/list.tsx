import { type Organization, organizationSorts } from '#contract/organizations.ts'
import { billingAccountStatuses } from '#domain/billing-account.ts'
import { companyStatuses } from '#domain/company.ts'
import { organization } from '#entities/organization.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { type Column, definePane } from '#portal/list/pane.ts'
import { changeWords } from '#portal/nouns/change-words.ts'
import { brands, named, plain, sortsOf, states, subline, times } from '#portal/nouns/columns.tsx'
import { companyFields, companyValues } from '#portal/nouns/employers/words.ts'
import { history } from '#portal/record/history.ts'
import { brandMark } from '#portal/ui/brand-mark.tsx'
import { later } from '#portal/ui/later.tsx'

const employers = ({ employer_count: all, active_employer_count: active }: Organization): string =>
  active === all ? String(all) : `${all}, ${active} active`

const columns: readonly Column<Organization>[] = [
  named(organization, 'Organization, id', 160),
  states('status', 'Status', 92, companyStatuses, (one) => one.status, { sort: 'status', keep: 3 }),
  brands({ sort: 'brand' }),
  plain('employers', 'Employers', 104, employers, { keep: 2 }),
  plain('source-code', 'Source code', 104, (one) => one.source_code, { sort: 'source_code', keep: 1 }),
  plain('lookup-name', 'Lookup name', 150, (one) => one.lookup_name, { long: true }),
  plain('csm', 'Customer success manager', 150, (one) => orDash(one.csm?.name), { long: true }),
  plain('notes', 'Notes', 160, (one) => orDash(one.notes), { long: true }),
  times('created', 'Created', (one) => one.created_at, { sort: 'created_at' }),
  times('updated', 'Changed', (one) => one.updated_at, { sort: 'updated_at' }),
]

/** Organizations (SCR-018), and the tabs of one (SCR-021 to SCR-027). */
export default definePane<Organization>({
  entity: organization,
  title: 'Organizations',
  next: 'organization.create',
  columns,
  shown: ['name', 'status', 'brand', 'employers', 'source-code', 'csm'],
  sorts: sortsOf(organizationSorts, columns, { name: 'Name' }),
  sub: (one) => subline(one.id, brandMark(one.brand), one.source_code),
  tabs: {
    general: later(async () => (await import('#portal/nouns/organizations/general.tsx')).OrganizationGeneral),
    configurations: later(
      async () => (await import('#portal/nouns/organizations/configurations.tsx')).OrganizationConfigurations,
    ),
    employers: later(async () => (await import('#portal/nouns/organizations/employers.tsx')).OrganizationEmployers),
    encryption: later(async () => (await import('#portal/nouns/organizations/encryption.tsx')).OrganizationEncryption),
    'import-emails': later(async () => (await import('#portal/nouns/organizations/import-emails.tsx')).OrganizationImportEmails),
    integrations: later(async () => (await import('#portal/nouns/organizations/integrations.tsx')).OrganizationIntegrations),
    'billing-accounts': later(
      async () => (await import('#portal/nouns/organizations/billing-accounts.tsx')).OrganizationBillingAccounts,
    ),
    history,
  },
  words: changeWords(companyFields, { status: companyStatuses, billing_account_status: billingAccountStatuses }, companyValues),
})
