import { AuditEvent, auditFilters, countAuditEvents, getAuditEvent, listAuditEvents } from '#contract/audit-events.ts'
import { auditKindWords } from '#domain/audit.ts'
import { eventWords } from '#domain/employee-event.ts'
import { isolated } from '#domain/text.ts'
import { type AnyEntity, defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'

/** The record of an event, 'Employee 104234', 'Invoice INV-40932'; for people and companies the name; 'Saved views of Ada'. */
export const auditedRecord = ({ entity, entity_id, entity_name }: AuditEvent): string =>
  `${auditKindWords(entity)} ${entity === 'views' ? 'of ' : ''}${entity_name === null ? entity_id : isolated(entity_name)}`

/** An event on a record, and who caused it. */
export const auditEvent = defineEntity<AuditEvent>({
  name: 'audit-event',
  one: 'audit event',
  many: 'audit events',
  icon: 'history',
  ids: numbers({ prefix: 'AUDIT' }),
  path: '/audit-events',
  schema: AuditEvent,
  get: getAuditEvent,
  list: listAuditEvents,
  count: countAuditEvents,
  query: {},
  rows: (answer: { audit_events: AuditEvent[] }) => answer.audit_events,
  filters: auditFilters,
  pane: true,
  tells: true,
  id: (one) => String(one.id),
  title: (one) => `${eventWords(one.status, one.category)}: ${auditedRecord(one)}`,
  subtitle: (one) => isolated(one.actor.name),
  version: () => 0,
  keywords: (one) => [one.actor.name, one.entity_name ?? one.entity_id],
  confirmWith: (one) => String(one.id),
})

/** The filters of the audit for one record, and for one command on it if `command` is its id. */
export const auditOf = ({ name }: Pick<AnyEntity, 'name'>, id: string, command?: string): Record<string, string> => ({
  ...{ kind_type: 'is', kind_value: name, record_type: 'is', record_value: id },
  ...(command ? { command_type: 'contains', command_value: command } : {}),
})
