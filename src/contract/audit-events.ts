import { z } from 'zod'
import { auditKindNames, auditKinds } from '#domain/audit.ts'
import { all, any } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'
import { byId, idSchema, nothing } from '#contract/fields.ts'
import { choiceFilter, dateFilter, filterParams, personFilter, sameFilter, textFilter } from '#contract/filter.ts'
import { HistoryEvent } from '#contract/history.ts'
import { commaList, Count, lek, listQuery } from '#contract/list.ts'
import { listings } from '#contract/listings.ts'

const tag = 'Audit'
const { needs } = listings.auditEvents

/** One audited event: who, when, by which command, on which record, before and after. */
export const AuditEvent = HistoryEvent.extend({
  entity: z.enum(auditKindNames),
  entity_id: z.string(),
  /** Its name, unless that is its id: the name of a person or of an accessible company, `INV-40932`, `REP-70001`. */
  entity_name: z.string().nullable(),
  /** The intent of the call; null if it is masked. */
  intent: z.string().nullable(),
  /** The command as claimed by the client. */
  command: z.string().nullable(),
})
export type AuditEvent = z.infer<typeof AuditEvent>

export const auditFilters = [
  personFilter('admin', 'Admin', 'admin', 'admin-id', all('read:admins')),
  personFilter(
    'account_manager',
    'Account manager',
    'account-manager',
    'account-manager-id',
    any('read:employers', 'read:organizations'),
  ),
  choiceFilter({
    id: 'kind',
    title: 'Record kind',
    values: auditKindNames,
    labels: Object.fromEntries(auditKindNames.map((name) => [name, auditKinds[name].label])),
    optionNeeds: Object.fromEntries(auditKindNames.map((name) => [name, auditKinds[name].needs])),
  }),
  sameFilter('record', 'Record id', 'record'),
  textFilter('command', 'Command', 'command'),
  dateFilter('date', 'Date'),
] as const

export const auditSorts = ['at'] as const

const filtered = { q: listQuery.q, id: commaList(idSchema).optional(), ...filterParams(auditFilters) }

export const listAuditEvents = endpoint({
  ...listings.auditEvents,
  summary: 'Who did what, when and by which command, of the records that the person may see, newest first',
  tag,
  params: nothing,
  query: z.object({
    ...listQuery,
    ...filtered,
    sort: z.enum(auditSorts).default('at'),
    'sort-order': z.enum(['asc', 'desc']).default('desc'),
  }),
  answer: z.object({ audit_events: z.array(AuditEvent), lek }),
})

export const countAuditEvents = endpoint({
  method: 'GET',
  path: '/audit-events/count',
  summary: 'How many events of the audit a filter has',
  tag,
  params: nothing,
  query: z.object(filtered),
  answer: Count,
  needs,
  extension: true,
})

export const getAuditEvent = endpoint({
  method: 'GET',
  path: '/audit-events/{id}',
  summary: 'One event of the audit',
  tag,
  params: byId,
  query: nothing,
  answer: AuditEvent,
  needs,
  extension: true,
})
