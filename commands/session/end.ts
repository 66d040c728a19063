import { endSession } from '#contract/sessions.ts'
import { session } from '#entities/session.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'session.end',
  title: 'End session',
  aliases: ['sign out another device', 'log out elsewhere', 'revoke session'],
  icon: 'sign-out',
  on: session,
  does: endSession,
  keys: [{ scope: 'row', chord: 'Backspace' }],
  preview: { warning: () => 'The person has to sign in again there, and batch runs and exports that it started stop.' },
  bulk: true,
  plan: (one) => [endSession({ id: one.id }, {})],
  done: { message: (one) => `Ended the session of ${one.device}`, opens: () => session.path },
})
