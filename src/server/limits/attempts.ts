import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { enterLine, servesOnly } from '#server/limits/account-queue.ts'
import { blameDevice, isKnownDevice } from '#server/limits/known-devices.ts'
import { atAccount, type Bound, fromBlock, fromNetwork, type Obstacle, obstacleTo, takeGuesses } from '#server/limits/guesses.ts'
import { crowded, placeOf, refuseWhenFull } from '#server/limits/hash-queue.ts'
import { coolDown, noteRefusal } from '#server/limits/hot-networks.ts'
import { blockOf, networkOf } from '#server/limits/network.ts'
import { digest } from '#server/auth/secret.ts'
import { Refused } from '#server/http-error.ts'
import type { Caller } from '#server/auth/caller.ts'
import type { Database } from '#server/tables/database.ts'

/**
 * Failures on one account from one network, or one known device, before it is locked, and the first and maximum duration of the
 * lock.
 */
const failuresAllowed = 5
const firstLockSeconds = 60
const maxLockSeconds = 15 * 60
/** Failures expire after this long without another attempt. */
const expireAfterSeconds = 60 * 60
/** Milliseconds that an unknown caller's call waits for its turn before it is refused. */
const usualPatience = 2_500

/** A wrong password or code: the only outcome whose attempt stays counted. */
export class WrongGuess extends Refused {}

/** The source, target account and time of a guess. */
export interface Guesser {
  db: Kysely<Database>
  caller: Caller
  now: Date
  patience?: number
}

/** An attempt that counts as failed until it proves to be correct. */
export interface Attempt {
  /** Whether it comes from a device that signed in to this account before. */
  known: boolean
  /** The key of its lock; null if no lock applies. */
  scope: string | null
  lockedUntil: Date | null
}

const secondsOf = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1000))
const inWords = (seconds: number): string =>
  seconds <= 60 ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : `${Math.ceil(seconds / 60)} minutes`

const tooMany = (milliseconds: number): Refused => {
  const seconds = secondsOf(milliseconds)
  return new Refused(429, 'too-many-attempts', `Too many attempts. Try again in ${inWords(seconds)}.`, { retry_after: seconds })
}

/** Others may be guessing at this account; its owner gets a way around the delay. */
const busyAccount = (milliseconds: number): Refused => {
  const seconds = secondsOf(milliseconds)
  return new Refused(
    429,
    'link-needed',
    `Too many attempts on this account. Try again in ${inWords(seconds)}, or open a link that is sent to your e-mail address.`,
    { retry_after: seconds },
  )
}
const spentAccount = () =>
  new Refused(
    403,
    'link-needed',
    'There were too many wrong tries on this account today. To sign in on this device, open a link that is sent to your e-mail address.',
  )

/**
 * Evaluates a password or a code. The attempt is counted before, so that a hundred concurrent ones count as a hundred, and taken
 * back unless `validate` throws a WrongGuess. A device that signed in to this account before has a lock of its own, so that
 * nobody else can lock it out; unknown callers are served one at a time, with a growing delay, for at most a hundred wrong
 * guesses a day. An unknown e-mail is counted like any other. Throws 429 `too-many-attempts`, 429 or 403 `link-needed`, and 503
 * `unavailable`, all before anything is evaluated. `lock: false` is for guesses with a limit of their own.
 */
export async function guess<T>(
  guesser: Guesser,
  email: string,
  validate: (attempt: Attempt) => Promise<T>,
  { lock = true }: { lock?: boolean } = {},
): Promise<T> {
  const { db, caller, now, patience = usualPatience } = guesser
  if (await isKnownDevice(db, email, caller, now)) {
    const scope = digest('device', email, caller.device ?? '')
    try {
      return await countAndValidate(db, { scope: lock ? scope : null, known: true, bounds: [], now }, validate)
    } catch (error) {
      if (error instanceof WrongGuess) await blameDevice(db, email, caller)
      throw error
    }
  }
  const network = networkOf(caller.address)
  await coolDown(network, patience)
  try {
    return await guessOfStranger({ ...guesser, patience }, email, validate, lock)
  } catch (error) {
    if (error instanceof Refused && !(error instanceof WrongGuess)) noteRefusal(network)
    throw error
  }
}

/** A guess by an unknown caller: refused early where possible, else evaluated in its turn. */
async function guessOfStranger<T>(
  { db, caller, now, patience }: Required<Guesser>,
  email: string,
  validate: (attempt: Attempt) => Promise<T>,
  lock: boolean,
): Promise<T> {
  const network = networkOf(caller.address)
  const account = digest('account', email)
  const scope = lock ? digest('network', email, network) : null
  // The widest limit first: a guess refused there creates no row for a network or an account.
  const bounds = [fromBlock(digest('block', blockOf(caller.address))), fromNetwork(digest('from', network)), atAccount(account)]
  refuseWhenFull(placeOf(caller, 'strangers'))
  if (scope !== null) await refuseLocked(db, scope, now)
  const startedAt = performance.now()
  const wait = (from: Date, maxWait: number) => waitFor(db, bounds, from, maxWait, caller.gone)
  const before = await wait(now, patience)
  const leave = await enterLine(account, network, patience - before, caller.gone)
  // If the caller's own network is being served and waits for its hash, nobody else is trying this account.
  if (!leave) throw servesOnly(account, network) ? crowded() : busyAccount(1000)
  try {
    const moment = new Date(now.getTime() + before)
    const extraWait = await wait(moment, patience - (performance.now() - startedAt))
    if (caller.gone?.aborted) throw crowded()
    return await countAndValidate(db, { scope, known: false, bounds, now: new Date(moment.getTime() + extraWait) }, validate)
  } finally {
    leave()
  }
}

/** Counts the attempt, evaluates it, and takes it back unless it was a wrong guess. */
async function countAndValidate<T>(
  db: Kysely<Database>,
  { scope, known, bounds, now }: { scope: string | null; known: boolean; bounds: readonly Bound[]; now: Date },
  validate: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  const lockedUntil = scope === null ? null : await countAttempt(db, scope, now)
  const release = async () => {
    if (scope !== null) await releaseAttempt(db, scope, lockedUntil)
  }
  let takeBack = release
  try {
    const { refusedBy, giveBack } = await takeGuesses(db, bounds, now)
    if (refusedBy) throw refusalOf(refusedBy.bound, refusedBy.obstacle)
    takeBack = async () => {
      await release()
      await giveBack()
    }
    const answer = await validate({ known, scope, lockedUntil })
    await takeBack()
    return answer
  } catch (error) {
    if (!(error instanceof WrongGuess)) await takeBack().catch(() => undefined)
    throw error
  }
}

function refusalOf(bound: Bound, obstacle: Obstacle): Refused {
  if (obstacle.kind === 'spent') return spentAccount()
  return (bound.max === null ? tooMany : busyAccount)(obstacle.milliseconds)
}

/**
 * Waits until no limit blocks the guess; returns the wait in milliseconds. Throws when the wait is too long or once `gone` is
 * aborted.
 */
async function waitFor(
  db: Kysely<Database>,
  bounds: readonly Bound[],
  now: Date,
  patience: number,
  gone: AbortSignal | undefined,
): Promise<number> {
  let waited = 0
  for (const bound of bounds) {
    const obstacle = await obstacleTo(db, bound, new Date(now.getTime() + waited))
    if (!obstacle) continue
    if (obstacle.kind === 'spent' || waited + obstacle.milliseconds > patience) throw refusalOf(bound, obstacle)
    await sleep(obstacle.milliseconds, undefined, gone ? { signal: gone } : {}).catch(() => {
      throw crowded()
    })
    waited += obstacle.milliseconds
  }
  return waited
}

/** Whether a lock is in effect; one longer than the maximum was set by a clock that was ahead, and does not count. */
const holds = (until: Date | null | undefined, now: Date): until is Date =>
  until != null && until > now && until.getTime() <= now.getTime() + maxLockSeconds * 1000

async function refuseLocked(db: Kysely<Database>, scope: string, now: Date): Promise<void> {
  const row = await db.selectFrom('attempt_limits').select('locked_until').where('scope', '=', scope).executeTakeFirst()
  if (holds(row?.locked_until, now)) throw tooMany(row.locked_until.getTime() - now.getTime())
}

/** Counts a failed attempt; returns the end of the lock it causes. Throws 429 `too-many-attempts` if already locked. */
async function countAttempt(db: Kysely<Database>, scope: string, now: Date): Promise<Date | null> {
  const maxWait = sql`${now}::timestamptz + make_interval(secs => ${maxLockSeconds})`
  const { rows } = await sql<{ locked_until: Date | null }>`
    insert into attempt_limits as l (scope, failures, last_attempt_at) values (${scope}, 1, ${now})
    on conflict (scope) do update set
      failures = ${countedOn(now)},
      last_attempt_at = excluded.last_attempt_at,
      locked_until = case when ${countedOn(now)} >= ${failuresAllowed} then ${now}::timestamptz + make_interval(secs =>
        least(${firstLockSeconds} * power(2, least(${countedOn(now)} - ${failuresAllowed}, 10)), ${maxLockSeconds})) end
    where l.locked_until is null or l.locked_until <= ${now} or l.locked_until > ${maxWait}
    returning locked_until
  `.execute(db)
  const [counted] = rows
  if (counted) return counted.locked_until
  await refuseLocked(db, scope, now)
  // The lock ended, or was released, between the two statements.
  throw tooMany(1000)
}

/** The failures in a row of `attempt_limits as l` plus one, or one if the old ones have expired. */
const countedOn = (now: Date) =>
  sql`case when l.last_attempt_at < ${now}::timestamptz - make_interval(secs => ${expireAfterSeconds})
    then 1 else l.failures + 1 end`

async function releaseAttempt(db: Kysely<Database>, scope: string, lockedUntil: Date | null): Promise<void> {
  await sql`
    update attempt_limits set
      locked_until = case when failures - 1 < ${failuresAllowed} or locked_until = ${lockedUntil}::timestamptz
        then null else locked_until end,
      failures = greatest(failures - 1, 0)
    where scope = ${scope}
  `.execute(db)
}

/** Clears the failures after a complete sign-in. */
export async function forgetFailures(db: Pick<Kysely<Database>, 'deleteFrom'>, attempt: Attempt): Promise<void> {
  if (attempt.scope !== null) await db.deleteFrom('attempt_limits').where('scope', '=', attempt.scope).execute()
}
