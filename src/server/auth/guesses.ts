import { type Kysely, sql } from 'kysely'
import { skewSeconds } from '#server/auth/settings.ts'
import type { Database } from '#server/tables/database.ts'

/** A limit on guesses by unknown callers: at most `max` wrong ones within `withinSeconds`, with a growing delay between them. */
export interface Bound {
  scope: string
  withinSeconds: number
  /** Wrong guesses after which no more is judged; null only slows down. */
  max: number | null
  /** Seconds from the n-th guess to the next, as SQL over n. */
  delay: (n: ReturnType<typeof sql>) => ReturnType<typeof sql<number>>
  maxWaitSeconds: number
}

/** The guesses of strangers at one account: the first five at once, then 1, 2, 4 ... 60 seconds apart, a hundred in a day. */
export const atAccount = (scope: string): Bound => ({
  scope,
  withinSeconds: 86_400,
  max: 100,
  delay: (n) => sql<number>`case when ${n} <= 5 then 0 else least(60, power(2, least(${n} - 6, 6))) end`,
  maxWaitSeconds: 60,
})

/** Those that come from where it signed in before: nobody elsewhere uses them up, and they are fewer. */
export const fromKnownNetwork = (scope: string): Bound => ({ ...atAccount(scope), max: 20 })

/** The guesses from one address at any account: twenty in an hour at once, then further and further apart, to ten seconds. */
export const fromNetwork = (scope: string): Bound => ({
  scope,
  withinSeconds: 3_600,
  max: null,
  delay: (n) => sql<number>`case when ${n} <= 20 then 0 else least(10, (${n} - 20) / 10.0) end`,
  maxWaitSeconds: 10,
})

/**
 * The guesses from all networks that one owner may hold at any account: 300 in an hour at once, then further and further apart, to a
 * second. Each may be of a network and at an account of its own, which are kept for a day; one network alone is slower than that.
 */
export const fromBlock = (scope: string): Bound => ({
  scope,
  withinSeconds: 3_600,
  max: null,
  delay: (n) => sql<number>`case when ${n} <= 300 then 0 else least(1, (${n} - 300) / 100.0) end`,
  maxWaitSeconds: 1,
})

/** At most `max` per hour, without a delay. */
export const inAnHour = (scope: string, max: number): Bound => ({
  scope,
  withinSeconds: 3_600,
  max,
  delay: () => sql<number>`0`,
  maxWaitSeconds: 0,
})

/** Wrong guesses that a row remembers at most; those before are older than any of them. */
const kept = 400

/** The wrong guesses of a row of `guesses as g` that count, newest first; those yet to come are of a clock that was ahead. */
const counting = (bound: Bound, now: Date) =>
  sql`array(select moment from unnest(g.wrong_at) moment
    where moment > ${now}::timestamptz - make_interval(secs => ${bound.withinSeconds})
      and moment <= ${now}::timestamptz + make_interval(secs => ${skewSeconds})
    order by moment desc limit ${kept - 1})`

/** Why the next guess must wait or is refused. */
export type Obstacle = { kind: 'spent' } | { kind: 'early'; milliseconds: number }

/**
 * Takes a guess, counted as wrong until it is given back: counted before it is judged, a hundred at once are a hundred.
 * Answers what is in the way instead, and then has counted nothing.
 */
export async function takeGuess(db: Kysely<Database>, bound: Bound, now: Date): Promise<Obstacle | null> {
  const counted = counting(bound, now)
  const delay = bound.delay(sql`(cardinality(${counted}) + 1)`)
  // Where nobody has to wait yet, the moment stays where it was: calls that began together arrive in any order, and the
  // one that began first is not early.
  const { rows } = await sql`
    insert into guesses as g (scope, wrong_at, next_at, counted_at)
    values (${bound.scope}, array[${now}::timestamptz], to_timestamp(0), ${now})
    on conflict (scope) do update set
      wrong_at = ${now}::timestamptz || ${counted},
      next_at = case when ${delay} > 0 then ${now}::timestamptz + make_interval(secs => ${delay})
        when g.next_at <= ${now} then g.next_at else to_timestamp(0) end,
      counted_at = excluded.counted_at
    where (g.next_at <= ${now} or g.next_at > ${now}::timestamptz + make_interval(secs => ${bound.maxWaitSeconds}))
      and (${bound.max}::int is null or cardinality(${counted}) < ${bound.max})
    returning 1
  `.execute(db)
  return rows.length === 1 ? null : obstacleTo(db, bound, now)
}

/** The obstacle to a guess right now; null when there is none. */
export async function obstacleTo(db: Kysely<Database>, bound: Bound, now: Date): Promise<Obstacle | null> {
  const { rows } = await sql<{ count: number; next_at: Date }>`
    select cardinality(${counting(bound, now)}) as count, next_at from guesses g where scope = ${bound.scope}
  `.execute(db)
  const row = rows[0]
  if (!row) return null
  if (bound.max !== null && row.count >= bound.max) return { kind: 'spent' }
  const milliseconds = row.next_at.getTime() - now.getTime()
  return milliseconds > 0 && milliseconds <= bound.maxWaitSeconds * 1000 ? { kind: 'early', milliseconds } : null
}

/** The wrong guesses that count at a moment. */
export async function wrongGuesses(db: Kysely<Database>, bound: Bound, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select cardinality(${counting(bound, now)}) as count from guesses g where scope = ${bound.scope}`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Gives back a guess that was correct or not evaluated, so that the next one need not wait for it. Guesses counted later keep
 * their delay: a client that hangs up in the queue must not shorten the delay that a later wrong guess caused.
 */
export async function giveBackGuess(db: Kysely<Database>, bound: Bound, taken: Date): Promise<void> {
  await sql`
    update guesses set
      wrong_at = wrong_at[:array_position(wrong_at, ${taken}::timestamptz) - 1]
        || wrong_at[array_position(wrong_at, ${taken}::timestamptz) + 1:],
      next_at = case when ${taken}::timestamptz >= all (wrong_at) then least(next_at, ${taken}::timestamptz) else next_at end
    where scope = ${bound.scope} and ${taken}::timestamptz = any(wrong_at)
  `.execute(db)
}
