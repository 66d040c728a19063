import { listings } from '#contract/listings.ts'
import { startOf } from '#contract/named-views.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'open.write-offs',
  title: 'Open write-offs',
  aliases: ['go to write-offs'],
  icon: 'write-off',
  reads: listings.writeOffs,
  keys: [{ scope: 'workspace', chord: 'g w' }],
  place: { address: '/write-offs', order: 40 },
  act: (host) => host.open(startOf('/write-offs')),
})
