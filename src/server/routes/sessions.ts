import {
  countSessions,
  deleteSession,
  deleteSessions,
  endOtherSessions,
  endSession,
  getSession,
  listSessions,
} from '#contract/sessions.ts'
import { change, on, route } from '#server/http/route.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { notFound } from '#server/http-error.ts'
import { endOthers, ownSession, sessionList, toSession } from '#server/tables/sessions.ts'
import type { Session } from '#contract/sessions.ts'

/** A session to end, its person, and whether it has ended already. */
interface Own extends Session {
  person: string
  over: boolean
}

/** The number of ended sessions of a person. */
interface EndedSessions {
  person: string
  ended: number
}

/** The audit target of a session is its person. */
const target = ({ person }: { person: string }) => ({ entity: 'person', id: person, version: null })

export const routes = [
  route(listSessions, async ({ tx, actor, query, services }) => {
    const { from, seal } = listCursor(services, 'GET /sessions', actor, query)
    const { rows, next } = await sessionList.page({ tx, actor }, query, from)
    return { sessions: rows.map(toSession), lek: seal(next) }
  }),

  route(countSessions, ({ tx, actor, query }) => sessionList.count({ tx, actor }, query)),

  route(getSession, async ({ tx, actor, params }) => {
    const found = await ownSession(tx, actor, params.id)
    if (!found || found.ended_at) throw notFound()
    return toSession(found)
  }),

  change<typeof deleteSession, Own>(deleteSession, {
    subject: async ({ tx, actor, params }) => {
      const found = await ownSession(tx, actor, params.id, { lock: true })
      return found && { ...toSession(found), person: actor.id, over: found.ended_at !== null }
    },
    target,
    snapshot: () => ({}),
    intents: [
      on<typeof endSession, Own>(endSession, async ({ tx, actor, subject, now }) => {
        const { person, over, ...session } = subject
        if (!over) await endOthers(tx, actor, now, session.id)
        return { after: subject, answer: session, text: `${session.device}, ${session.address}`, unchanged: over }
      }),
    ],
  }),

  change<typeof deleteSessions, EndedSessions>(deleteSessions, {
    subject: async ({ actor }) => ({ person: actor.id, ended: 0 }),
    target,
    snapshot: () => ({}),
    intents: [
      on<typeof endOtherSessions, EndedSessions>(endOtherSessions, async ({ tx, actor, subject, now }) => {
        const ended = await endOthers(tx, actor, now)
        return { after: { ...subject, ended }, answer: { ended }, text: `${ended} ended`, unchanged: ended === 0 }
      }),
    ],
  }),
]
