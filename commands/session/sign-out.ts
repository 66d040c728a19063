import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'session.sign-out',
  title: 'Sign out',
  aliases: ['log out', 'log off', 'leave'],
  icon: 'sign-out',
  group: 'Session',
  inAccountMenu: true,
  needs: 'signed-in',
  act: (host) => host.signOut(),
})
