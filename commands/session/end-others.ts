import { endOtherSessions } from '#contract/sessions.ts'
import { session } from '#entities/session.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'session.end-others',
  title: 'Sign out everywhere else',
  aliases: ['end all other sessions', 'log out of other devices', 'sign out everywhere'],
  icon: 'sign-out',
  does: endOtherSessions,
  preview: { warning: () => 'Every session but this one ends, with the batch runs and exports that it started.' },
  plan: () => [endOtherSessions({}, {})],
  done: { message: () => 'Signed out everywhere else', opens: () => session.path },
})
