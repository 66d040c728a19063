import type { AuditEvent } from '#contract/audit-events.ts'
import { listAuditEvents } from '#contract/audit-events.ts'
import { auditEvent } from '#entities/audit-event.ts'
import { withList } from '#entities/with-list.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

const nounOf = ({ entity }: AuditEvent) => withList.find(({ name }) => name === entity)

export default defineCommand<AuditEvent>({
  id: 'audit-event.record',
  title: 'Open record of audit event',
  aliases: ['show what it was done to'],
  icon: 'link',
  on: auditEvent,
  reads: listAuditEvents,
  keys: [{ scope: 'row', chord: 'o' }],
  unavailable: (_, one) => (one && !nounOf(one) ? { sentence: 'This event is about no record with a page of its own.' } : null),
  act: (host, one) => {
    const noun = nounOf(one)
    if (noun) host.open(pathOf(noun, one.entity_id))
  },
})
