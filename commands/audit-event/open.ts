import { listAuditEvents } from '#contract/audit-events.ts'
import { auditEvent } from '#entities/audit-event.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand({
  id: 'audit-event.open',
  title: 'Jump to audit event',
  aliases: ['find audit event', 'open audit event'],
  icon: 'history',
  on: auditEvent,
  reads: listAuditEvents,
  act: (desk, one) => desk.open(pathOf(auditEvent, auditEvent.id(one))),
})
