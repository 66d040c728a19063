import { listings } from '#contract/listings.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'open.users',
  title: 'Open users',
  aliases: ['go to users', 'user data', 'accounts'],
  icon: 'user',
  reads: listings.users,
  keys: [{ scope: 'workspace', chord: 'g u' }],
  place: { address: '/users', order: 11 },
  act: (host) => host.open('/users'),
})
