import { defineCommand } from '#kernel/command.ts'

export default defineCommand<undefined, { run?: string }>({
  id: 'run.stop',
  title: 'Stop the batch run',
  aliases: ['cancel the run', 'abort'],
  icon: 'close',
  group: 'Session',
  needs: 'signed-in',
  alters: true,
  act: (host, _, { run }) => host.stopRun(run),
})
