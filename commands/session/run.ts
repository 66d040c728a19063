import { defineCommand } from '#kernel/command.ts'

export default defineCommand<undefined, { run?: string }>({
  id: 'session.run',
  title: 'Show the last run',
  aliases: ['progress', 'bulk result'],
  icon: 'history',
  needs: 'signed-in',
  act: (host, _, { run }) => host.showRun(run),
})
