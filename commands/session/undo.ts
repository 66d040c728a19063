import { defineCommand } from '#kernel/command.ts'

export default defineCommand<undefined, { entry?: string; run?: string }>({
  id: 'session.undo',
  title: 'Undo the last action',
  needs: 'own-changes',
  keys: [{ scope: 'everywhere', chord: 'Mod+Z' }],
  act: (host, _, what) => host.undo(what),
})
