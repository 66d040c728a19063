import { endOtherSessions } from '#contract/sessions.ts'
import { session } from '#entities/session.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'session.end-others',
  title: 'Sign out everywhere else',
  aliases: ['end all other sessions', 'log out of other devices', 'sign out everywhere'],
  icon: 'sign-out',
  group: 'Session',
  does: endOtherSessions,
  warning: () => 'Every session but this one ends, with the batch runs and exports that it started.',
  plan: () => [endOtherSessions({}, {})],
  opens: () => session.path,
  done: () => 'Signed out everywhere else',
  failed: () => 'Something went wrong ending your other sessions',
})
