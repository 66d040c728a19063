import { z } from 'zod'
import { canResend, communicationKinds, communicationLabels, communicationStates } from '#domain/communication.ts'
import { all, byIntent } from '#domain/permissions.ts'
import { endpoint, intent } from '#contract/define.ts'
import { byId, nothing, version } from '#contract/fields.ts'
import { choiceFilter, dateFilter, filterParams } from '#contract/filter.ts'
import { Count, lek, listQuery } from '#contract/list.ts'

const needs = all('read:employers')

/** A mail about a company, kept for 13 months (rules 17). */
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
  choiceFilter({ id: 'state', title: 'State', values: communicationStates.values, labels: communicationStates.labels }),
  choiceFilter({ id: 'kind', title: 'Kind', values: communicationKinds, labels: communicationLabels }),
  dateFilter('queued', 'Queued'),
] as const

export const communicationSorts = ['id', 'recipient', 'queued_at'] as const

const filtered = { q: listQuery.q, ...filterParams(communicationFilters) }

export const listCommunications = endpoint({
  method: 'GET',
  path: '/employers/{id}/communications',
  summary: 'Every mail about an employer of the last 13 months',
  tag: 'Employers',
  params: byId,
  query: z.object({ ...listQuery, ...filtered, sort: z.enum(communicationSorts).default('id') }),
  answer: z.object({ communications: z.array(Communication), lek }),
  needs,
  extension: true,
})

export const countCommunications = endpoint({
  method: 'GET',
  path: '/employers/{id}/communications/count',
  summary: 'How many mails about an employer a filter has',
  tag: 'Employers',
  params: byId,
  query: z.object(filtered),
  answer: Count,
  needs,
  extension: true,
})

export const getCommunication = endpoint({
  method: 'GET',
  path: '/communications/{id}',
  summary: 'One mail about a company',
  tag: 'Employers',
  params: byId,
  query: nothing,
  answer: Communication,
  needs,
  extension: true,
})

export const postResend = endpoint({
  method: 'POST',
  path: '/communications/{id}/resend',
  summary: 'Send a mail about a company again',
  tag: 'Employers',
  params: byId,
  query: nothing,
  answer: Communication,
  needs: byIntent,
  extension: true,
})

export const resendCommunication = intent(postResend, {
  id: 'communication.resend',
  body: z.object({ version: version() }),
  needs: all('write:employers'),
  event: 'Mail sent again',
  refuses: canResend,
})
