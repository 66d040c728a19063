import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'session.sign-out',
  title: 'Sign out',
  aliases: ['log out', 'log off', 'leave'],
  icon: 'sign-out',
  place: 'account-menu',
  needs: 'signed-in',
  act: (host) => host.signOut(),
})
