import { checkTargets } from '#contract/runs.ts'
import { defineCommand } from '#kernel/command.ts'

/** Selects rows by ids pasted from a spreadsheet. */
export default defineCommand({
  id: 'list.pasted-ids',
  title: 'Act on pasted ids',
  aliases: ['paste ids', 'ids from a spreadsheet', 'bulk', 'many rows'],
  icon: 'columns',
  reads: checkTargets,
  act: (host) => host.show('pasted-ids'),
})
