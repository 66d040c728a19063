import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'view.keys',
  title: 'Show all keys',
  aliases: ['keyboard shortcuts', 'shortcuts', 'key map', 'help'],
  icon: 'keyboard',
  place: 'account-menu',
  needs: 'signed-in',
  keys: [{ scope: 'workspace', chord: '?' }],
  act: (host) => host.show('keys'),
})
