import { listings } from '#contract/listings.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'open.account-managers',
  title: 'Open account managers',
  aliases: ['go to account managers', 'staff'],
  icon: 'user',
  reads: listings.accountManagers,
  keys: [{ scope: 'workspace', chord: 'g m' }],
  place: { address: '/account-managers', order: 80, below: 'Access' },
  act: (host) => host.open('/account-managers'),
})
