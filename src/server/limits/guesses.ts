import { type Kysely, sql } from 'kysely'
import { skewSeconds } from '#server/auth/settings.ts'
import type { Database } from '#server/tables/database.ts'

/** A limit on guesses by unknown callers: at most `max` wrong ones within `withinSeconds`, with a growing delay between them. */
export interface Bound {
  scope: string
  withinSeconds: number
  /** Maximum number of wrong guesses; null only delays. */
  max: number | null
  /** Seconds from the n-th guess to the next, as SQL over n. */
  delay: (n: ReturnType<typeof sql>) => ReturnType<typeof sql<number>>
  maxWaitSeconds: number
}

/**
 * Guesses of unknown callers at one account: the first five without delay, then 1, 2, 4 ... 60 seconds apart, a hundred per day.
 */
export const atAccount = (scope: string): Bound => ({
  scope,
  withinSeconds: 86_400,
  max: 100,
  delay: (n) => sql<number>`case when ${n} <= 5 then 0 else least(60, power(2, least(${n} - 6, 6))) end`,
  maxWaitSeconds: 60,
})

/** A separate, smaller limit for guesses from networks that signed in before, so that nobody elsewhere uses it up. */
export const fromKnownNetwork = (scope: string): Bound => ({ ...atAccount(scope), max: 20 })

/** Guesses from one network at any account: twenty per hour without delay, then with growing delays up to ten seconds. */
export const fromNetwork = (scope: string): Bound => ({
  scope,
  withinSeconds: 3_600,
  max: null,
  delay: (n) => sql<number>`case when ${n} <= 20 then 0 else least(10, (${n} - 20) / 10.0) end`,
  maxWaitSeconds: 10,
})

/**
 * Guesses at any account from the neighbouring networks that one owner may hold: 300 per hour without delay, then with growing
 * delays up to a second. Each guess may create rows for a new network and account, which stay for a day; a single network is
 * slower than that.
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

/** Maximum number of wrong guesses stored in a row; older ones are dropped. */
const maxStored = 400

/**
 * The wrong guesses in a row of `guesses as g` within the limit's time, newest first; those in the future come from a clock that
 * was ahead.
 */
const counting = (bound: Bound, now: Date) =>
  sql`array(select moment from unnest(g.wrong_at) moment
    where moment > ${now}::timestamptz - make_interval(secs => ${bound.withinSeconds})
      and moment <= ${now}::timestamptz + make_interval(secs => ${skewSeconds})
    order by moment desc limit ${maxStored - 1})`

/** Why the next guess must wait or is refused. */
export type Obstacle = { kind: 'spent' } | { kind: 'early'; milliseconds: number }

/**
 * Takes a guess, counted as wrong until it is given back: since it is counted before it is evaluated, a hundred concurrent ones
 * count as a hundred. Returns the obstacle if there is one, and then counts nothing.
 */
export async function takeGuess(db: Kysely<Database>, bound: Bound, now: Date): Promise<Obstacle | null> {
  const counted = counting(bound, now)
  const delay = bound.delay(sql`(cardinality(${counted}) + 1)`)
  // While no delay applies, the time of the next guess stays: concurrent calls arrive in any order, and the one that started
  // first must not count as early.
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

/**
 * Takes a guess at each of the limits in order. Returns a function that gives them back, or the first limit that refuses with its
 * obstacle, and then none is counted. One row per transaction, so that several row locks cannot deadlock.
 */
export async function takeGuesses(
  db: Kysely<Database>,
  bounds: readonly Bound[],
  now: Date,
): Promise<{ refusedBy?: { bound: Bound; obstacle: Obstacle }; giveBack: () => Promise<void> }> {
  const taken: Bound[] = []
  const giveBack = async () => {
    for (const bound of taken) await giveBackGuess(db, bound, now)
  }
  for (const bound of bounds) {
    const obstacle = await takeGuess(db, bound, now)
    if (obstacle) {
      await giveBack()
      return { refusedBy: { bound, obstacle }, giveBack }
    }
    taken.push(bound)
  }
  return { giveBack }
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

/** The number of wrong guesses within the limit's time. */
export async function wrongGuesses(db: Kysely<Database>, bound: Bound, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select cardinality(${counting(bound, now)}) as count from guesses g where scope = ${bound.scope}`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Gives back a guess that was correct or not evaluated, so that the next one need not wait for it. Guesses counted later keep
 * their delay: a client that hangs up in the queue must not shorten the delay that a later wrong guess caused.
 */
export async function giveBackGuess(db: Kysely<Database>, bound: Bound, takenAt: Date): Promise<void> {
  await sql`
    update guesses set
      wrong_at = wrong_at[:array_position(wrong_at, ${takenAt}::timestamptz) - 1]
        || wrong_at[array_position(wrong_at, ${takenAt}::timestamptz) + 1:],
      next_at = case when ${takenAt}::timestamptz >= all (wrong_at) then least(next_at, ${takenAt}::timestamptz) else next_at end
    where scope = ${bound.scope} and ${takenAt}::timestamptz = any(wrong_at)
  `.execute(db)
}
