import { listings } from '#contract/listings.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'open.sessions',
  title: 'Your sessions',
  aliases: ['where am I signed in', 'open sessions', 'my devices', 'signed in devices'],
  icon: 'lock',
  place: 'account-menu',
  reads: listings.sessions,
  act: (host) => host.open('/sessions'),
})
