import { type Kysely, sql } from 'kysely'
import { communicationMonths } from '#domain/communication.ts'
import { importedFileDays } from '#domain/import.ts'
import { deliverMail } from '#server/auth/mail.ts'
import { forgetNetworks } from '#server/limits/known-networks.ts'
import { stepAt } from '#server/auth/totp.ts'
import type { AuthSettings } from '#server/auth/settings.ts'
import type { Database } from '#server/tables/database.ts'

const mailEverySeconds = 5
const forgetEverySeconds = 60 * 60
const stepsInADay = 2 * 60 * 24

/** Deletes expired data: old sessions, challenges, counters, codes and mail. */
export async function forgetOld(db: Kysely<Database>, now: Date): Promise<void> {
  const before = (age: string) => sql<Date>`${now}::timestamptz - ${age}::interval`
  await db.deleteFrom('sessions').where('expires_at', '<', before('7 days')).execute()
  await db.deleteFrom('challenges').where('expires_at', '<', before('1 hour')).execute()
  await db.deleteFrom('guesses').where('counted_at', '<', before('1 day')).execute()
  await db.deleteFrom('attempt_limits').where('last_attempt_at', '<', before('1 day')).execute()
  await db.deleteFrom('reset_codes').where('created_at', '<', before('1 day')).execute()
  await db.deleteFrom('invitations').where('expires_at', '<', before('30 days')).execute()
  await db.deleteFrom('known_devices').where('expires_at', '<', now).execute()
  await forgetNetworks(db, now)
  await db.deleteFrom('device_links').where('expires_at', '<', before('1 day')).execute()
  await db.deleteFrom('failed_sign_ins').where('hour', '<', before('90 days')).execute()
  await db
    .deleteFrom('used_codes')
    .where('step', '<', stepAt(now) - stepsInADay)
    .execute()
  await sql`delete from communications where queued_at < ${now}::timestamptz - make_interval(months => ${communicationMonths})`.execute(
    db,
  )
  await db.deleteFrom('outbox').where('expires_at', '<', now).execute()
  // The effects of a file stay; its lines are deleted.
  for (const table of ['import_parts', 'import_faults', 'import_names', 'import_people'] as const)
    await sql`delete from ${sql.table(table)} where import_id in (
      select id from imports where finished_at < ${now}::timestamptz - make_interval(days => ${importedFileDays}))`.execute(db)
}

/** Sends mail and deletes expired data until stopped; safe in several processes. `report` receives failures. */
export function startHousekeeping(
  db: Kysely<Database>,
  settings: AuthSettings,
  report: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  const often = (seconds: number, work: () => Promise<unknown>) => {
    const timer = setInterval(() => {
      running = running.then(work).catch(report)
    }, seconds * 1000)
    timer.unref()
    return timer
  }
  const timers = [
    often(mailEverySeconds, () => deliverMail(db, settings, new Date())),
    often(forgetEverySeconds, () => forgetOld(db, new Date())),
  ]
  return async () => {
    for (const timer of timers) clearInterval(timer)
    await running
  }
}
