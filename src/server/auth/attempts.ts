import { isIPv6 } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { digest } from '#server/auth/secret.ts'
import { Refused } from '#server/refused.ts'
import type { Caller } from '#server/route.ts'
import type { Database } from '#server/tables/database.ts'

/** Failures on one account from one network after which it is locked, and for how long at first and at most. */
const failuresAllowed = 5
const firstLockSeconds = 60
const longestLockSeconds = 15 * 60
/** Failures are forgotten after this long without another attempt. */
const forgottenAfterSeconds = 60 * 60
/** Failures on a whole account, or from a whole network, from which on strangers are slowed down, never locked out. */
const slowedFrom = 20
const slowedByMilliseconds = 1_000

/** An attempt that is counted as failed until it is told otherwise. */
export interface Attempt {
  scope: string
  slowScopes: string[]
  lockedUntil: Date | null
  /** Whether it was made to wait, since too many strangers failed before. */
  slowed: boolean
}

/** A network as limits see it: one IPv4 address, or the /64 that one IPv6 subscriber has. */
export function networkOf(address: string): string {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!isIPv6(bare)) return bare
  const [head = '', tail = ''] = bare.toLowerCase().split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail.split(':').filter(Boolean)
  const zeros = bare.includes('::') ? Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0') : []
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

/**
 * Counts an attempt before it is judged, so that a hundred at once are a hundred. A device that signed in to this
 * account before has a count of its own, so nobody else can lock it out. Throws 429 `too-many-attempts`.
 */
export async function beginAttempt(db: Kysely<Database>, email: string, caller: Caller, now: Date): Promise<Attempt> {
  const account = email.trim().toLowerCase()
  const network = networkOf(caller.address)
  const known = await isKnownDevice(db, account, caller)
  const scope = known ? digest('device', account, caller.device ?? '') : digest('network', account, network)
  const slowScopes = known ? [] : [digest('account', account), digest('from', network)]

  const { rows } = await sql<{ failures: number; locked_until: Date | null }>`
    insert into attempt_limits as l (scope, failures, last_attempt_at) values (${scope}, 1, ${now})
    on conflict (scope) do update set
      failures = ${countedOn(now)},
      last_attempt_at = excluded.last_attempt_at,
      locked_until = case when ${countedOn(now)} >= ${failuresAllowed} then ${now}::timestamptz + make_interval(secs =>
        least(${firstLockSeconds} * power(2, least(${countedOn(now)} - ${failuresAllowed}, 10)), ${longestLockSeconds})) end
    where l.locked_until is null or l.locked_until <= ${now}
    returning failures, locked_until
  `.execute(db)
  const counted = rows[0]
  if (!counted) throw await lockedOut(db, scope, now)

  let slowed = false
  for (const slowScope of slowScopes) {
    const { rows: counts } = await sql<{ failures: number }>`
      insert into attempt_limits as l (scope, failures, last_attempt_at) values (${slowScope}, 1, ${now})
      on conflict (scope) do update set failures = ${countedOn(now)}, last_attempt_at = excluded.last_attempt_at
      returning failures
    `.execute(db)
    if ((counts[0]?.failures ?? 0) > slowedFrom) slowed = true
  }
  if (slowed) await setTimeout(slowedByMilliseconds)
  return { scope, slowScopes, lockedUntil: counted.locked_until, slowed }
}

/** Takes an attempt back that was right but does not complete a sign-in: a good password alone resets nothing. */
export async function releaseAttempt(db: Kysely<Database>, attempt: Attempt): Promise<void> {
  // One row at a time, each its own transaction: locks of several never wait for each other in a ring.
  for (const scope of [attempt.scope, ...attempt.slowScopes]) {
    await sql`
      update attempt_limits set
        locked_until = case when failures - 1 < ${failuresAllowed} or locked_until = ${attempt.lockedUntil}::timestamptz
          then null else locked_until end,
        failures = greatest(failures - 1, 0)
      where scope = ${scope}
    `.execute(db)
  }
}

/** Forgets the failures after a complete sign-in, and knows the device from now on. */
export async function settleAttempt(
  db: Kysely<Database>,
  attempt: Attempt,
  personId: string,
  caller: Caller,
  now: Date,
): Promise<void> {
  await db.deleteFrom('attempt_limits').where('scope', '=', attempt.scope).execute()
  await releaseAttempt(db, attempt)
  if (!caller.device) return
  await db
    .insertInto('known_devices')
    .values({ person_id: personId, device_hash: digest(caller.device), last_seen_at: now })
    .onConflict((conflict) => conflict.columns(['person_id', 'device_hash']).doUpdateSet({ last_seen_at: now }))
    .execute()
}

/** Whether a complete sign-in to this account came from this device before. */
export async function isKnownDevice(db: Kysely<Database>, email: string, caller: Caller): Promise<boolean> {
  if (!caller.device) return false
  const row = await db
    .selectFrom('known_devices')
    .innerJoin('people', 'people.id', 'known_devices.person_id')
    .select('known_devices.person_id')
    .where('people.email', '=', email)
    .where('people.status', '<>', 'DELETED')
    .where('known_devices.device_hash', '=', digest(caller.device))
    .executeTakeFirst()
  return row !== undefined
}

/** The failures of a row of `attempt_limits as l`, one more, or one where the old ones are forgotten. */
const countedOn = (now: Date) =>
  sql`case when l.last_attempt_at < ${now}::timestamptz - make_interval(secs => ${forgottenAfterSeconds})
    then 1 else l.failures + 1 end`

async function lockedOut(db: Kysely<Database>, scope: string, now: Date): Promise<Refused> {
  const row = await db.selectFrom('attempt_limits').select('locked_until').where('scope', '=', scope).executeTakeFirst()
  const seconds = Math.max(1, Math.ceil(((row?.locked_until?.getTime() ?? 0) - now.getTime()) / 1000))
  const wait = seconds <= 60 ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : `${Math.ceil(seconds / 60)} minutes`
  return new Refused(429, 'too-many-attempts', `Too many attempts. Try again in ${wait}.`, { retry_after: seconds })
}
