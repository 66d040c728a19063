import { type Kysely, sql } from 'kysely'
import { deviceWords } from '#domain/session.ts'
import { effectiveRights } from '#domain/staff.ts'
import { digest, randomToken } from '#server/auth/secret.ts'
import { type AuthSettings, skewSeconds } from '#server/auth/settings.ts'
import { prepared } from '#server/postgres/prepared.ts'
import { Refused } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Caller } from '#server/auth/caller.ts'
import type { Tx, Database } from '#server/tables/database.ts'
import type { SessionsTable } from '#server/tables/people.ts'

/** Minimum time between two updates of the last activity, so that not every read causes a write. */
const touchSeconds = 15

/** The refusal of a call without a token. */
export const notSignedIn = () => new Refused(401, 'not-signed-in', 'Please login to continue.')
/** ERR-006. */
const expired = () => new Refused(401, 'session-expired', 'Your session has expired. Please login again.')
/** For a session that its person ended from another one. */
const endedElsewhere = () =>
  new Refused(401, 'session-ended', 'This session was ended elsewhere. Please login again to continue working.')
/** ERR-007. */
const idle = () =>
  new Refused(401, 'session-idle', 'Your session has expired due to inactivity. Please login again to continue working.')

/** The token of an `authorization: Bearer ...` header, else null. */
export const bearerToken = (authorization: string | undefined): string | null =>
  /^Bearer ([\w.~+/=-]{1,200})$/i.exec(authorization ?? '')?.[1] ?? null

interface RightsRow {
  id: string
  name: string
  email: string
  kind: Actor['kind']
  group_ids: number[]
  permission_ids: number[]
}

interface SessionRow extends RightsRow {
  status: string
  created_at: Date
  last_active_at: Date
  idle_seconds: number
  expires_at: Date
  ended_at: Date | null
  ended_reason: SessionsTable['ended_reason']
}

const rights = sql`
  array(select group_id from person_groups where person_id = person.id) as group_ids,
  array(select permission_id from person_permissions where person_id = person.id) as permission_ids`

const actorFrom = (row: RightsRow, sessionId: string): Actor => ({
  id: row.id,
  name: row.name,
  email: row.email,
  kind: row.kind,
  ...effectiveRights(row.kind, row),
  sessionId,
})

/**
 * Returns the person behind a token with their current rights; one statement, and a second when activity must be recorded.
 * `activity: false` is for calls that a page makes by itself: they do not keep the session alive. A session that starts in the
 * future, or ends later than one that starts now, comes from a clock that was ahead or from another limit, and is ignored. Throws
 * 401 `not-signed-in`, `session-expired`, `session-idle` or `session-ended`.
 */
export async function authenticate(
  db: Kysely<Database>,
  token: string | null,
  now: Date,
  { activity, absoluteSeconds }: { activity: boolean; absoluteSeconds: number },
): Promise<Actor> {
  if (!token) throw notSignedIn()
  const sessionId = digest(token)
  const { rows } = await sql<SessionRow>`${prepared}
    select person.id, person.name, person.email, person.kind, person.status,
      session.created_at, session.last_active_at, session.idle_seconds, session.expires_at, session.ended_at, session.ended_reason,
      ${rights}
    from sessions session join people person on person.id = session.person_id
    where session.token_hash = ${sessionId}
  `.execute(db)
  const row = rows[0]
  const latest = now.getTime() + skewSeconds * 1000
  if (row?.ended_reason === 'ENDED_ELSEWHERE' && row.status === 'ACTIVE' && row.expires_at > now) throw endedElsewhere()
  if (!row || row.ended_at || row.status !== 'ACTIVE' || row.expires_at <= now) throw expired()
  if (row.created_at.getTime() > latest || row.expires_at.getTime() > latest + absoluteSeconds * 1000) throw expired()
  const active = row.last_active_at.getTime()
  if (active > latest || active + row.idle_seconds * 1000 <= now.getTime()) throw idle()
  if (activity && active < now.getTime() - touchSeconds * 1000)
    await sql`${prepared} update sessions set last_active_at = ${now}
      where token_hash = ${sessionId} and ended_at is null and last_active_at < ${now}`.execute(db)
  return actorFrom(row, sessionId)
}

/**
 * A person with their current rights, for work without a request. It outlives the idle limit, but not the end of its session by
 * signing out, by a new password or by removal: then null.
 */
export async function actorOf(db: Kysely<Database>, personId: string, sessionId: string): Promise<Actor | null> {
  const { rows } = await sql<RightsRow>`
    select person.id, person.name, person.email, person.kind, ${rights}
    from people person where person.id = ${personId} and person.status = 'ACTIVE'
      and not exists (select 1 from sessions where token_hash = ${sessionId} and ended_at is not null)
  `.execute(db)
  return rows[0] ? actorFrom(rows[0], sessionId) : null
}

/** The person of a request with their current rights. Throws 401 if the person was removed or the session ended in the meantime. */
export async function actorNow(tx: Tx, { id, sessionId }: Actor): Promise<Actor> {
  const now = await actorOf(tx, id, sessionId)
  if (now) return now
  const { rows } = await sql<{ reason: SessionsTable['ended_reason'] }>`
    select ended_reason as reason from sessions where token_hash = ${sessionId} and ended_at is not null`.execute(tx)
  throw rows[0]?.reason === 'ENDED_ELSEWHERE' ? endedElsewhere() : expired()
}

/** Starts a session; the token is returned once and stored only as a hash. */
export async function startSession(
  tx: Tx,
  personId: string,
  caller: Caller,
  settings: AuthSettings,
  now: Date,
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomToken()
  const expiresAt = new Date(now.getTime() + settings.absoluteSeconds * 1000)
  await tx
    .insertInto('sessions')
    .values({
      token_hash: digest(token),
      person_id: personId,
      created_at: now,
      last_active_at: now,
      idle_seconds: settings.idleSeconds,
      expires_at: expiresAt,
      address: caller.address,
      device_hash: caller.device ? digest(caller.device) : null,
      device: deviceWords(caller.userAgent),
    })
    .execute()
  return { token, expiresAt }
}

/** Ends one session. */
export async function endSession(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ ended_at: now, ended_reason: 'SIGNED_OUT' })
    .where('token_hash', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Ends every session of a person, and every unfinished sign-in. */
export async function endSessionsOf(
  tx: Tx,
  personId: string,
  reason: NonNullable<SessionsTable['ended_reason']>,
  now: Date,
): Promise<void> {
  await tx.deleteFrom('challenges').where('person_id', '=', personId).execute()
  await tx
    .updateTable('sessions')
    .set({ ended_at: now, ended_reason: reason })
    .where('person_id', '=', personId)
    .where('ended_at', 'is', null)
    .execute()
}
