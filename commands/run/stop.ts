import { defineCommand } from '#kernel/command.ts'

export default defineCommand<undefined, { run?: string }>({
  id: 'run.stop',
  title: 'Stop the batch run',
  aliases: ['cancel the run', 'abort'],
  icon: 'close',
  needs: 'own-changes',
  act: (host, _, { run }) => host.stopRun(run),
})
