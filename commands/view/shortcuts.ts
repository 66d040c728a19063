import { defineCommand } from '#kernel/command.ts'

export default defineCommand<undefined, { command?: string }>({
  id: 'view.shortcuts',
  title: 'Change keyboard shortcuts',
  aliases: ['own keys', 'key bindings', 'remap keys', 'customize shortcuts', 'change shortcut'],
  icon: 'keyboard',
  place: 'account-menu',
  needs: 'signed-in',
  act: (host, _, { command }) => host.changeKeys(command),
})
