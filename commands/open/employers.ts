import { listings } from '#contract/listings.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'open.employers',
  title: 'Open employers',
  aliases: ['go to employers', 'companies'],
  icon: 'building',
  reads: listings.employers,
  keys: [{ scope: 'workspace', chord: 'g c' }],
  place: { address: '/employers', order: 56 },
  act: (host) => host.open('/employers'),
})
