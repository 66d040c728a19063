import { z } from 'zod'
import { auditKindNames, auditKinds } from '#domain/audit.ts'
import { all, any } from '#domain/permissions.ts'
import { choiceFilter, dateFilter, personFilter, sameFilter, textFilter } from '#contract/filter.ts'
import { HistoryEvent } from '#contract/history.ts'
import { listings } from '#contract/listings.ts'
import { byIds, newestFirst, resource } from '#contract/resource.ts'

const tag = 'Audit'

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

export const {
  list: listAuditEvents,
  count: countAuditEvents,
  get: getAuditEvent,
} = resource(listings.auditEvents, {
  one: 'event of the audit',
  many: 'events of the audit',
  tag,
  row: AuditEvent,
  rows: 'audit_events',
  filters: auditFilters,
  sorts: auditSorts,
  summary: 'Who did what, when and by which command, of the records that the person may see, newest first',
  narrowing: byIds,
  arranging: newestFirst,
})
