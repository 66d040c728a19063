import { listings } from '#contract/listings.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'open.audit-events',
  title: 'Open audit',
  aliases: [
    'go to audit',
    'who did what',
    'who changed',
    'who changed this',
    'who changed what',
    'what changed',
    'what happened',
    'change log',
    'audit log',
    'audit trail',
    'audit events',
  ],
  icon: 'history',
  reads: listings.auditEvents,
  keys: [{ scope: 'workspace', chord: 'g l' }],
  place: { address: '/audit-events', order: 82, below: 'Access' },
  act: (host) => host.open('/audit-events'),
})
