import { listings } from '#contract/listings.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'open.employees',
  title: 'Open employees',
  aliases: ['go to employees', 'people'],
  icon: 'users',
  reads: listings.employees,
  keys: [{ scope: 'workspace', chord: 'g e' }],
  place: { address: '/employees', order: 10 },
  act: (host) => host.open('/employees'),
})
