import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'session.history',
  title: 'Session activity',
  aliases: ['history', 'repeat an earlier action', 'undo an earlier action'],
  icon: 'history',
  place: 'account-menu',
  needs: 'signed-in',
  act: (host) => host.show('history'),
})
