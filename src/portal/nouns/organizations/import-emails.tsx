import {
  countDataEmails,
  type DataEmail,
  dataEmailFilters,
  dataEmailSorts,
  levelLabels,
  listDataEmails,
} from '#contract/data-emails.ts'
import type { Organization } from '#contract/organizations.ts'
import { dataEmailLabels } from '#domain/data-email.ts'
import { dataEmail } from '#entities/data-email.ts'
import { organization } from '#entities/organization.ts'
import type { Column } from '#portal/list/pane.ts'
import { plain, sortsOf, times } from '#portal/nouns/columns.tsx'
import { tabList } from '#portal/record/tab-list.tsx'

const columns: readonly Column<DataEmail>[] = [
  plain('email', 'E-mail', 180, (one) => one.email, { sort: 'email', long: true, keep: 3, width: [180, 1.6] }),
  plain('type', 'Type', 128, (one) => dataEmailLabels[one.type], { sort: 'type', keep: 2 }),
  plain('employer', 'Used for', 150, (one) => one.employer_name ?? 'All employers', { sort: 'employer', long: true, keep: 1 }),
  plain('level', 'Level', 96, (one) => levelLabels[one.level]),
  times('created', 'Added', (one) => one.created_at, { sort: 'created_at' }),
  plain('by', 'Added by', 120, (one) => one.created_by, { long: true }),
]

/** The tab Import Emails of an organization (SCR-025): who may send files for it and its employers by e-mail. */
export const OrganizationImportEmails = tabList<Organization>({
  of: organization,
  tab: 'import-emails',
  rows: dataEmail,
  list: (one) => ({
    title: 'Data e-mails of the organization',
    many: 'data e-mails',
    columns,
    shown: ['email', 'type', 'employer', 'created', 'by'],
    filters: dataEmailFilters,
    sorts: sortsOf(dataEmailSorts, columns, { employer: 'Employer' }),
    searched: true,
    none: 'No data e-mail, or none that you have access to.',
    source: {
      endpoint: listDataEmails,
      query: () => ({ 'organization-id': organization.id(one) }),
      rows: (answer: { data_emails: DataEmail[] }) => answer.data_emails,
      count: countDataEmails,
    },
  }),
})
