import { listings } from '#contract/listings.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'open.imports',
  title: 'Open imports',
  aliases: ['go to imports', 'files that arrived', 'import runs'],
  icon: 'download',
  reads: listings.imports,
  keys: [{ scope: 'workspace', chord: 'g f' }],
  place: { address: '/imports', order: 58 },
  act: (host) => host.open('/imports'),
})
