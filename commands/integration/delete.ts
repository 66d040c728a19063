import { deleteIntegration } from '#contract/integrations.ts'
import { integration } from '#entities/integration.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'integration.delete',
  title: 'Delete integration',
  aliases: ['remove integration'],
  on: integration,
  does: deleteIntegration,
  keys: [{ scope: 'row', chord: 'Backspace' }],
  undo: { irreversible: true },
  preview: { warning: () => 'Nothing comes in this way from now on. What it signs in with is forgotten.' },
  plan: (one) => [deleteIntegration({ id: one.id }, { version: one.version })],
  done: (one) => `Deleted ${integration.title(one)}`,
  failed: () => 'Integration could not be deleted.',
})
