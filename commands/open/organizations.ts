import { listings } from '#contract/listings.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'open.organizations',
  title: 'Open organizations',
  aliases: ['go to organizations', 'companies'],
  icon: 'organization',
  reads: listings.organizations,
  keys: [{ scope: 'workspace', chord: 'g o' }],
  place: { address: '/organizations', order: 57 },
  act: (host) => host.open('/organizations'),
})
