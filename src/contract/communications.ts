import { z } from 'zod'
import { canResend, communicationKinds, communicationLabels, communicationStates } from '#domain/communication.ts'
import { all } from '#domain/permissions.ts'
import { action, endpoint } from '#contract/define.ts'
import { version } from '#contract/fields.ts'
import { choiceFilter, dateFilter, filterParams } from '#contract/filter.ts'
import { Count, lek, listQuery } from '#contract/list.ts'

const needs = all('read:employers')

/** A mail about a company, kept for 13 months (docs/rules/companies.md). */
export const Communication = z.object({
  id: z.int(),
  kind: z.enum(communicationKinds),
  organization_id: z.int(),
  /** Null if it is about all employers of the organization. */
  employer_id: z.int().nullable(),
  recipient: z.string(),
  subject: z.string(),
  text: z.string(),
  state: z.enum(communicationStates.values),
  queued_at: z.iso.datetime(),
  sent_at: z.iso.datetime().nullable(),
  /** How often it was resent. */
  resent: z.int(),
  version: z.int(),
})
export type Communication = z.infer<typeof Communication>

export const communicationFilters = [
  choiceFilter({ id: 'state', title: 'State', of: communicationStates }),
  choiceFilter({ id: 'kind', title: 'Kind', values: communicationKinds, labels: communicationLabels }),
  dateFilter('queued', 'Queued'),
] as const

export const communicationSorts = ['id', 'recipient', 'queued_at'] as const

const filtered = { q: listQuery.q, ...filterParams(communicationFilters) }

const call = { tag: 'Employers', needs, extension: true, method: 'GET' } as const

export const listCommunications = endpoint({
  ...call,
  path: '/employers/{id}/communications',
  summary: 'Every mail about an employer of the last 13 months',
  query: z.object({ ...listQuery, ...filtered, sort: z.enum(communicationSorts).default('id') }),
  answer: z.object({ communications: z.array(Communication), lek }),
})

export const countCommunications = endpoint({
  ...call,
  path: '/employers/{id}/communications/count',
  summary: 'How many mails about an employer a filter has',
  query: z.object(filtered),
  answer: Count,
})

export const getCommunication = endpoint({
  ...call,
  path: '/communications/{id}',
  summary: 'One mail about a company',
  answer: Communication,
})

export const resendCommunication = action({
  method: 'POST',
  path: '/communications/{id}/resend',
  summary: 'Send a mail about a company again',
  tag: 'Employers',
  answer: Communication,
  extension: true,
  id: 'communication.resend',
  body: z.object({ version: version() }),
  needs: all('write:employers'),
  event: 'Mail sent again',
  refuses: canResend,
})
