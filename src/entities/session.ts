import { countSessions, getSession, listSessions, Session } from '#contract/sessions.ts'
import { sessionStates } from '#domain/session.ts'
import { defineEntity } from '#kernel/entity.ts'
import { uuids } from '#kernel/ids.ts'

/** A session of the signed-in person. */
export const session = defineEntity<Session>({
  name: 'session',
  one: 'session',
  many: 'sessions',
  icon: 'lock',
  ids: uuids,
  path: '/sessions',
  schema: Session,
  get: getSession,
  list: listSessions,
  count: countSessions,
  query: {},
  rows: (answer: { sessions: Session[] }) => answer.sessions,
  filters: [],
  pane: true,
  few: true,
  instead: {
    'Your own password is changed at the sign-in: sign out, then choose Forgot password.': [
      ...['change my password', 'reset my password', 'my password'],
    ],
  },
  id: (one) => one.id,
  title: (one) => one.device,
  subtitle: (one) => one.address,
  status: { of: (one) => one.state, states: sessionStates },
  version: (one) => Date.parse(one.last_active_at),
  keywords: (one) => [one.address],
  confirmWith: (one) => one.device,
})
