import { listings } from '#contract/listings.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'open.admins',
  title: 'Open admins',
  aliases: ['go to admins', 'staff admins'],
  icon: 'shield',
  reads: listings.admins,
  keys: [{ scope: 'workspace', chord: 'g a' }],
  place: { address: '/admins', order: 81, below: 'Access' },
  act: (host) => host.open('/admins'),
})
