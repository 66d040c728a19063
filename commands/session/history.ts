import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'session.history',
  title: 'Session activity',
  aliases: ['history', 'repeat', 'undo an earlier action'],
  icon: 'history',
  group: 'Session',
  inAccountMenu: true,
  needs: 'signed-in',
  act: (host) => host.show('history'),
})
