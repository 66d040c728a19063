import { countDataEmails, DataEmail, dataEmailFilters, getDataEmail, listDataEmails } from '#contract/data-emails.ts'
import { dataEmailLabels } from '#domain/data-email.ts'
import { isolated } from '#domain/text.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'

/** A sender address of data files; only found in the tab of its organization. */
export const dataEmail = defineEntity<DataEmail>({
  name: 'data-email',
  one: 'data e-mail',
  many: 'data e-mails',
  icon: 'send',
  ids: numbers({ prefix: 'MAIL' }),
  path: '/data-emails',
  schema: DataEmail,
  get: getDataEmail,
  list: listDataEmails,
  count: countDataEmails,
  query: {},
  rows: (answer: { data_emails: DataEmail[] }) => answer.data_emails,
  filters: dataEmailFilters,
  pane: false,
  foundIn: 'the tab Import Emails of an organization',
  id: (one) => String(one.id),
  title: (one) => one.email,
  subtitle: (one) => [dataEmailLabels[one.type], isolated(one.employer_name ?? one.organization_name)].join(' · '),
  version: (one) => one.version,
  keywords: () => [],
  confirmWith: (one) => one.email,
})
