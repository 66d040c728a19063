import { type Kysely, sql } from 'kysely'
import { digest, randomToken } from '#server/auth/secret.ts'
import type { Caller } from '#server/auth/caller.ts'
import type { Tx, Database } from '#server/tables/database.ts'

const lastsDays = 180
/** Wrong guesses after which a device is no longer known, until its next complete sign-in: its secret may have been stolen. */
const failuresOfDevice = 20

/**
 * Whether this caller has the secret that this server issued on a complete sign-in to this account. A value made up by the
 * browser, and the secret of another account, do not count.
 */
export async function isKnownDevice(
  db: Pick<Kysely<Database>, 'selectFrom'>,
  email: string,
  caller: Caller,
  now: Date,
): Promise<boolean> {
  if (!caller.device) return false
  const row = await db
    .selectFrom('known_devices')
    .innerJoin('people', 'people.id', 'known_devices.person_id')
    .select('known_devices.person_id')
    .where('people.email', '=', email)
    .where('people.status', '<>', 'DELETED')
    .where('known_devices.device_hash', '=', digest(caller.device ?? ''))
    .where('known_devices.expires_at', '>', now)
    .where('known_devices.failures', '<', failuresOfDevice)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Makes this browser a known device of a person, and returns the new secret for it to store. Its previous secret becomes invalid,
 * also for other people who sign in on it, so that a copy of it is worthless.
 */
export async function knowDevice(
  tx: Tx,
  personId: string,
  caller: Caller,
  now: Date,
  seconds: number = lastsDays * 86_400,
): Promise<string> {
  const secret = randomToken()
  if (caller.device)
    await tx
      .updateTable('known_devices')
      .set({ device_hash: digest(secret) })
      .where('device_hash', '=', digest(caller.device))
      .execute()
  const expires = sql<Date>`${now}::timestamptz + make_interval(secs => ${seconds})`
  await tx
    .insertInto('known_devices')
    .values({ person_id: personId, device_hash: digest(secret), last_seen_at: now, expires_at: expires })
    .onConflict((conflict) =>
      conflict.columns(['person_id', 'device_hash']).doUpdateSet((is) => ({
        last_seen_at: now,
        failures: 0,
        expires_at: sql<Date>`greatest(${is.ref('known_devices.expires_at')}, excluded.expires_at)`,
      })),
    )
    .execute()
  return secret
}

/** Counts a wrong guess from a known device. */
export async function blameDevice(db: Kysely<Database>, email: string, caller: Caller): Promise<void> {
  await db
    .updateTable('known_devices')
    .set((is) => ({ failures: is('failures', '+', 1) }))
    .from('people')
    .whereRef('people.id', '=', 'known_devices.person_id')
    .where('people.email', '=', email)
    .where('known_devices.device_hash', '=', digest(caller.device ?? ''))
    .execute()
}
