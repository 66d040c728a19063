import { type Employer, employerSorts } from '#contract/employers.ts'
import { companyStatuses } from '#domain/company.ts'
import { employer } from '#entities/employer.ts'
import { type Column, definePane } from '#portal/list/pane.ts'
import { changeWords } from '#portal/nouns/change-words.ts'
import { brands, dates, named, plain, sortsOf, states, subline, times } from '#portal/nouns/columns.tsx'
import { companyFields, companyValues } from '#portal/nouns/employers/words.ts'
import { history } from '#portal/record/history.ts'
import { brandMark } from '#portal/ui/brand-mark.tsx'
import { later } from '#portal/ui/later.tsx'

/** A yes-or-no column; a missing setting stands out. */
const yesNo = (id: string, title: string, is: (one: Employer) => boolean, words: readonly [string, string] = ['Yes', 'No']) =>
  plain<Employer>(id, title, 96, (one) => words[is(one) ? 0 : 1])

const columns: readonly Column<Employer>[] = [
  named(employer, 'Employer, id', 160),
  states('status', 'Status', 92, companyStatuses, (one) => one.status, { sort: 'status', keep: 3 }),
  plain('organization', 'Organization', 140, (one) => one.organization_name, {
    long: true,
    sort: 'organization',
    keep: 1,
    width: [140, 1.3],
  }),
  plain('code', 'External code', 96, (one) => one.external_code, { sort: 'external_code', keep: 2 }),
  plain('external-name', 'External name', 130, (one) => one.external_name, { long: true }),
  plain('lookup-name', 'Lookup name', 140, (one) => one.lookup_name, { long: true }),
  brands(),
  yesNo('onboarded', 'Onboarded', (one) => one.onboarded),
  yesNo('lms', 'LMS', (one) => one.lms_configured, ['Configured', 'Missing']),
  yesNo('direct', 'Direct customer', (one) => one.direct_customer),
  dates('live', 'Go-live date', (one) => one.go_live_date),
  dates('cancelled', 'Cancelled', (one) => one.cancellation_date),
  times('created', 'Created', (one) => one.created_at, { sort: 'created_at' }),
  times('updated', 'Changed', (one) => one.updated_at, { sort: 'updated_at' }),
]

/** Employers (SCR-028), and the tabs of one (SCR-029, SCR-030, SCR-034 to SCR-036, SCR-037). */
export default definePane<Employer>({
  entity: employer,
  title: 'Employers',
  next: 'organization.add-employer',
  columns,
  shown: ['name', 'status', 'organization', 'code', 'brand', 'onboarded', 'lms', 'live'],
  sorts: sortsOf(employerSorts, columns, { name: 'Name' }),
  sub: (one) => subline(one.id, brandMark(one.brand), one.organization_name),
  tabs: {
    general: later(async () => (await import('#portal/nouns/employers/general.tsx')).EmployerGeneral),
    configurations: later(async () => (await import('#portal/nouns/employers/configurations.tsx')).EmployerConfigurations),
    integrations: later(async () => (await import('#portal/nouns/employers/integrations.tsx')).EmployerIntegrations),
    'file-mapping': later(async () => (await import('#portal/nouns/employers/file-mapping.tsx')).EmployerFileMapping),
    'ewa-files': later(async () => (await import('#portal/nouns/employers/ewa-files.tsx')).EmployerEwaFiles),
    invoices: later(async () => (await import('#portal/nouns/employers/invoices.tsx')).EmployerInvoices),
    communications: later(async () => (await import('#portal/nouns/employers/communications.tsx')).EmployerCommunications),
    'payroll-group': later(async () => (await import('#portal/nouns/employers/payroll-group.tsx')).EmployerPayrollGroup),
    timekeepings: later(async () => (await import('#portal/nouns/employers/timekeepings.tsx')).EmployerTimekeepings),
    onboarding: later(async () => (await import('#portal/nouns/employers/onboarding.tsx')).EmployerOnboarding),
    history,
  },
  words: changeWords(companyFields, { status: companyStatuses }, companyValues),
})
