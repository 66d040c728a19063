import { sql } from 'kysely'
import { listSessions, Session } from '#contract/sessions.ts'
import type { Actor } from '#server/access/actor.ts'
import { defineList, every } from '#server/paging/define-list.ts'
import { words } from '#server/tables/conditions.ts'
import type { Tx } from '#server/tables/database.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import { selectOne } from '#server/postgres/select.ts'

/** A session as shown to its person. */
export interface SessionRow {
  id: string
  device: string
  address: string
  /** Whether it is the session of this request. */
  current: boolean
  created_at: Date
  last_active_at: Date
  expires_at: Date
  ended_at: Date | null
}

type Reader = Pick<Actor, 'id' | 'sessionId'>

const column = (name: string) => sql.ref(`e.${name}`)
const columnsFor = (actor: Reader) => sql<SessionRow>`e.id, e.device, e.address, e.token_hash = ${actor.sessionId} as current,
  e.created_at, e.last_active_at, e.expires_at, e.ended_at`
/** The condition of a session that is still valid. */
const isValid = sql`e.ended_at is null and e.expires_at > now() and e.last_active_at + make_interval(secs => e.idle_seconds) > now()`
const own = (actor: Reader) => sql`e.person_id = ${actor.id}`

/** The sessions of the actor. */
export const sessionList = defineList({
  endpoint: listSessions,
  from: sql`sessions e`,
  open: (actor) => sql`${own(actor)} and ${isValid}`,
  filters: { q: (text: string) => every(words(sql`fold(e.device || ' ' || e.address)`, text)) },
  sorts: { last_active_at: column('last_active_at'), created_at: column('created_at') },
  columns: columnsFor,
})

/** One session of the actor; null for one of somebody else, and for one that expired. */
export async function ownSession(tx: Tx, actor: Reader, id: string, { lock = false } = {}): Promise<SessionRow | null> {
  if (lock) await sql`select 1 from sessions where id = ${id} and person_id = ${actor.id} for update`.execute(tx)
  return selectOne<SessionRow>(tx)`select ${columnsFor(actor)} from sessions e
    where e.id = ${id} and ${own(actor)} and (${isValid} or e.ended_reason = 'ENDED_ELSEWHERE')`
}

/** Ends other sessions of the actor, from the current one, which stays: a single one, or all of them. Returns the number. */
export async function endOthers(tx: Tx, actor: Reader, now: Date, id?: string): Promise<number> {
  const { numAffectedRows } = await sql`update sessions e set ended_at = ${now}, ended_reason = 'ENDED_ELSEWHERE'
    where ${own(actor)} and e.token_hash <> ${actor.sessionId} and ${isValid} ${id === undefined ? sql`` : sql`and e.id = ${id}`}`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}

/** A session as returned by the API. */
export const toSession = (row: SessionRow): Session =>
  answerOf(Session, {
    ...row,
    state: row.current ? 'CURRENT' : 'OTHER',
  })
