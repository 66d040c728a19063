import { defineCommand } from '#kernel/command.ts'

export default defineCommand<undefined, { entry?: string; run?: string }>({
  id: 'session.undo',
  title: 'Undo the last action',
  icon: 'undo',
  group: 'Session',
  needs: 'signed-in',
  alters: true,
  keys: [{ scope: 'everywhere', chord: 'Mod+Z' }],
  act: (host, _, what) => host.undo(what),
})
