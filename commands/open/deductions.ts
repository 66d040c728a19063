import { listings } from '#contract/listings.ts'
import { startOf } from '#contract/named-views.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'open.deductions',
  title: 'Open deductions',
  aliases: ['go to deductions', 'deduction files'],
  icon: 'deduction',
  reads: listings.deductions,
  keys: [{ scope: 'workspace', chord: 'g d' }],
  place: { address: '/deductions', order: 50 },
  act: (host) => host.open(startOf('/deductions')),
})
