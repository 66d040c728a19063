import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'list.refresh',
  title: 'Refresh',
  aliases: ['reload', 'try again'],
  icon: 'refresh',
  needs: 'signed-in',
  keys: [{ scope: 'workspace', chord: 'r' }],
  act: (host) => host.refresh(),
})
