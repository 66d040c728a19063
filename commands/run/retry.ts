import { defineCommand } from '#kernel/command.ts'

export default defineCommand<undefined, { run?: string }>({
  id: 'run.retry',
  title: 'Retry what failed in the batch run',
  aliases: ['try failed rows again', 'repeat failed rows'],
  needs: 'own-changes',
  act: (host, _, { run }) => host.retryRun(run),
})
