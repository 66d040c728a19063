import {
  type Communication,
  communicationFilters,
  communicationSorts,
  countCommunications,
  listCommunications,
} from '#contract/communications.ts'
import type { Employer } from '#contract/employers.ts'
import { communicationLabels, communicationStates } from '#domain/communication.ts'
import { communication } from '#entities/communication.ts'
import { employer } from '#entities/employer.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import type { Column } from '#portal/list/pane.ts'
import { plain, sortsOf, states, times } from '#portal/nouns/columns.tsx'
import { tabList } from '#portal/record/tab-list.tsx'

const sent = ({ sent_at, resent }: Communication): string =>
  [sent_at === null ? '—' : dateAndTime(sent_at), resent > 0 ? `sent again ${resent === 1 ? 'once' : `${resent} times`}` : null]
    .filter(Boolean)
    .join(', ')

const columns: readonly Column<Communication>[] = [
  {
    id: 'mail',
    title: 'Subject, recipient',
    width: [180, 1.6],
    long: true,
    sort: 'recipient',
    keep: 3,
    text: (one) => `${one.subject}, ${one.recipient}`,
    draw: (one) => (
      <>
        <strong>{one.subject}</strong>
        <small>{one.recipient}</small>
      </>
    ),
  },
  states('state', 'State', 88, communicationStates, (one) => one.state, { keep: 3 }),
  plain('kind', 'Kind', 130, (one) => communicationLabels[one.kind], { long: true }),
  times('queued', 'Queued', (one) => one.queued_at, { sort: 'queued_at', keep: 1 }),
  plain('sent', 'Sent', 150, sent, { long: true, keep: 2 }),
  plain('text', 'Text', 200, (one) => one.text, { long: true }),
]

/** The tab Communications of an employer (SCR-035): all e-mails about it in the last 13 months. */
export const EmployerCommunications = tabList<Employer>({
  of: employer,
  tab: 'communications',
  rows: communication,
  list: (one) => ({
    title: 'Mails about the employer',
    many: 'mails',
    columns,
    shown: ['mail', 'state', 'kind', 'sent'],
    filters: communicationFilters,
    sorts: sortsOf(communicationSorts, columns, { recipient: 'Recipient' }),
    newestFirst: true,
    searched: true,
    none: 'No mail about this employer in the last 13 months.',
    source: {
      endpoint: listCommunications,
      at: () => ({ id: employer.id(one) }),
      rows: (answer: { communications: Communication[] }) => answer.communications,
      count: countCommunications,
    },
  }),
})
