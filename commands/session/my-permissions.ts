import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'session.my-permissions',
  title: 'My Permissions',
  aliases: ['what may I do', 'what can I do', 'my rights', 'my groups', 'who am I', 'settings', 'account'],
  icon: 'key',
  place: 'account-menu',
  needs: 'signed-in',
  act: (host) => host.open('/my-permissions'),
})
