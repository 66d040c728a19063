import { z } from 'zod'
import { signedIn } from '#domain/permissions.ts'
import { canEndSession, sessionStates } from '#domain/session.ts'
import { action } from '#contract/define.ts'
import { byPerson, personIdSchema } from '#contract/fields.ts'
import { listings } from '#contract/listings.ts'
import { newestFirst, resource } from '#contract/resource.ts'

const tag = 'Sessions'

/** A session of the caller. */
export const Session = z.object({
  id: z.uuid(),
  /** Browser and system, in words. */
  device: z.string(),
  /** The network address of its sign-in. */
  address: z.string(),
  /** CURRENT for the session of this request. */
  state: z.enum(sessionStates.values),
  created_at: z.iso.datetime(),
  /** Accurate to about 15 seconds. */
  last_active_at: z.iso.datetime(),
  /** When it ends at the latest. */
  expires_at: z.iso.datetime(),
})
export type Session = z.infer<typeof Session>

export const sessionSorts = ['last_active_at', 'created_at'] as const

export const {
  list: listSessions,
  count: countSessions,
  get: getSession,
} = resource(listings.sessions, {
  one: 'session of the person who asks',
  many: 'sessions of the person who asks',
  tag,
  row: Session,
  rows: 'sessions',
  filters: [],
  sorts: sessionSorts,
  params: byPerson,
  arranging: { ...newestFirst, 'from-id': personIdSchema.optional() },
})

export const endSession = action({
  method: 'DELETE',
  path: '/sessions/{id}',
  summary: 'End another session of the person who asks; answers what it was',
  tag,
  params: byPerson,
  answer: Session,
  extension: true,
  id: 'session.end',
  body: z.object({}),
  needs: signedIn,
  event: 'Session ended',
  refuses: canEndSession,
})

export const endOtherSessions = action({
  method: 'DELETE',
  path: '/sessions',
  summary: 'End every session of the person who asks but the one that asks; answers how many there were',
  tag,
  answer: z.object({ ended: z.int() }),
  extension: true,
  id: 'session.end-others',
  body: z.object({}),
  needs: signedIn,
  event: 'Signed out everywhere else',
})
