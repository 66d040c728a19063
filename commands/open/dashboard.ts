import { summaryCall } from '#contract/listings.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'open.dashboard',
  title: 'Open dashboard',
  aliases: ['go to dashboard', 'home', 'today', 'what needs me'],
  icon: 'home',
  reads: summaryCall,
  keys: [{ scope: 'workspace', chord: 'g h' }],
  place: { address: '/dashboard', order: 0 },
  act: (host) => host.open('/dashboard'),
})
