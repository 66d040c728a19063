import { z } from 'zod'
import { byIntent, signedIn } from '#domain/permissions.ts'
import { canEndSession, sessionStates } from '#domain/session.ts'
import { endpoint, intent } from '#contract/define.ts'
import { byPerson, nothing, personIdSchema } from '#contract/fields.ts'
import { Count, lek, listQuery } from '#contract/list.ts'
import { listings } from '#contract/listings.ts'

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

export const listSessions = endpoint({
  ...listings.sessions,
  summary: 'Where the person who asks is signed in, the last used first',
  tag,
  params: nothing,
  query: z.object({
    ...listQuery,
    'from-id': personIdSchema.optional(),
    sort: z.enum(sessionSorts).default('last_active_at'),
    'sort-order': z.enum(['asc', 'desc']).default('desc'),
  }),
  answer: z.object({ sessions: z.array(Session), lek }),
})

export const countSessions = endpoint({
  method: 'GET',
  path: '/sessions/count',
  summary: 'In how many places the person who asks is signed in',
  tag,
  params: nothing,
  query: z.object({ q: listQuery.q }),
  answer: Count,
  needs: signedIn,
  extension: true,
})

export const getSession = endpoint({
  method: 'GET',
  path: '/sessions/{id}',
  summary: 'One place where the person who asks is signed in',
  tag,
  params: byPerson,
  query: nothing,
  answer: Session,
  needs: signedIn,
  extension: true,
})

export const deleteSession = endpoint({
  method: 'DELETE',
  path: '/sessions/{id}',
  summary: 'End another session of the person who asks; answers what it was',
  tag,
  params: byPerson,
  query: nothing,
  answer: Session,
  needs: byIntent,
  extension: true,
})

export const endSession = intent(deleteSession, {
  id: 'session.end',
  body: z.object({}),
  needs: signedIn,
  event: 'Session ended',
  refuses: canEndSession,
})

export const deleteSessions = endpoint({
  method: 'DELETE',
  path: '/sessions',
  summary: 'End every session of the person who asks but the one that asks; answers how many there were',
  tag,
  params: nothing,
  query: nothing,
  answer: z.object({ ended: z.int() }),
  needs: byIntent,
  extension: true,
})

export const endOtherSessions = intent(deleteSessions, {
  id: 'session.end-others',
  body: z.object({}),
  needs: signedIn,
  event: 'Signed out everywhere else',
})
