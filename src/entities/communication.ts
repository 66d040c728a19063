import {
  Communication,
  communicationFilters,
  countCommunications,
  getCommunication,
  listCommunications,
} from '#contract/communications.ts'
import { communicationLabels, communicationStates } from '#domain/communication.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'

/** A mail about a company; only found in the tab of an employer. */
export const communication = defineEntity<Communication>({
  name: 'communication',
  one: 'mail',
  many: 'mails',
  icon: 'send',
  ids: numbers({ prefix: 'SENT' }),
  path: '/communications',
  schema: Communication,
  get: getCommunication,
  list: listCommunications,
  count: countCommunications,
  query: {},
  rows: (answer: { communications: Communication[] }) => answer.communications,
  filters: communicationFilters,
  pane: false,
  foundIn: 'the tab Communications of an employer',
  id: (one) => String(one.id),
  title: (one) => `mail to ${one.recipient}`,
  subtitle: (one) => [communicationLabels[one.kind], one.subject].join(' · '),
  status: { of: (one) => one.state, states: communicationStates },
  version: (one) => one.version,
  keywords: () => [],
  confirmWith: (one) => one.recipient,
})
