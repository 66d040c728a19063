import { listSessions } from '#contract/sessions.ts'
import { session } from '#entities/session.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand({
  id: 'session.open',
  title: 'Jump to session',
  aliases: ['find session', 'open session'],
  icon: 'lock',
  on: session,
  reads: listSessions,
  act: (desk, one) => desk.open(pathOf(session, session.id(one))),
})
