import { listings } from '#contract/listings.ts'
import { startOf } from '#contract/named-views.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'open.timekeeping',
  title: 'Open timekeeping',
  aliases: ['go to time entries', 'hours'],
  icon: 'time',
  reads: listings.timekeeping,
  keys: [{ scope: 'workspace', chord: 'g t' }],
  place: { address: '/timekeeping', order: 55 },
  act: (host) => host.open(startOf('/timekeeping')),
})
