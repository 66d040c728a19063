import { countSessions, endOtherSessions, endSession, getSession, listSessions } from '#contract/sessions.ts'
import type { Actor } from '#server/access/actor.ts'
import { reads } from '#server/http/reads.ts'
import { changing } from '#server/http/route.ts'
import { orNotFound } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
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

/** A session of the person, while it lasts. */
const openSession = orNotFound(async (tx: Tx, actor: Actor, id: string) => {
  const found = await ownSession(tx, actor, id)
  return found?.ended_at ? null : found
})

export const routes = [
  ...reads(
    { list: listSessions, count: countSessions, get: getSession },
    { list: sessionList, open: openSession, answer: toSession },
  ),

  changing<Own, undefined, { id: string }>({
    subject: async ({ tx, actor, params }) => {
      const found = await ownSession(tx, actor, params.id, { lock: true })
      return found && { ...toSession(found), person: actor.id, over: found.ended_at !== null }
    },
    target,
  })(endSession, async ({ tx, actor, subject, now }) => {
    const { person, over, ...session } = subject
    if (!over) await endOthers(tx, actor, now, session.id)
    return { after: subject, answer: session, text: `${session.device}, ${session.address}`, unchanged: over }
  }),

  changing<EndedSessions>({
    subject: async ({ actor }) => ({ person: actor.id, ended: 0 }),
    target,
  })(endOtherSessions, async ({ tx, actor, subject, now }) => {
    const ended = await endOthers(tx, actor, now)
    return { after: { ...subject, ended }, answer: { ended }, text: `${ended} ended`, unchanged: ended === 0 }
  }),
]
