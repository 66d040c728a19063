import { listings } from '#contract/listings.ts'
import { startOf } from '#contract/named-views.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'open.invoices',
  title: 'Open invoices',
  aliases: ['go to invoices', 'billing', 'money'],
  icon: 'invoice',
  reads: listings.invoices,
  keys: [{ scope: 'workspace', chord: 'g i' }],
  place: { address: '/invoices', order: 20 },
  act: (host) => host.open(startOf('/invoices')),
})
