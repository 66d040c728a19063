import { checkTargets } from '#contract/runs.ts'
import { defineCommand } from '#kernel/command.ts'

/** Ids as people copy them out of a spreadsheet become what the next command is done to. */
export default defineCommand({
  id: 'list.pasted-ids',
  title: 'Act on pasted ids',
  aliases: ['paste ids', 'ids from a spreadsheet', 'bulk', 'many rows'],
  icon: 'columns',
  group: 'View',
  reads: checkTargets,
  act: (host) => host.show('pasted-ids'),
})
