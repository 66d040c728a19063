import { type Kysely, sql } from 'kysely'
import { type Bound, wrongGuesses } from '#server/limits/guesses.ts'
import { recordEvent } from '#server/tables/audit.ts'
import type { Database } from '#server/tables/database.ts'
import { service } from '#server/tables/ledger.ts'

/** Number of wrong passwords by unknown callers per day that a customer does not reach by mistake. */
const alertThreshold = 20
const intent = 'sftp-user.guessed'

/**
 * Records in the history of an SFTP user that unknown callers guess its password, with the latest address; once per day, since
 * the history only grows. Does nothing for an unknown name.
 */
export async function recordGuessing(
  db: Kysely<Database>,
  guessing: { user: { id: number; version: number } | null; account: Bound; address: string; now: Date },
): Promise<void> {
  const { user, account, address, now } = guessing
  const wrong = await wrongGuesses(db, account, now)
  if (!user || wrong < alertThreshold) return
  const id = String(user.id)
  await db.transaction().execute(async (tx) => {
    // One at a time, so that the second finds the event of the first.
    await sql`select 1 from sftp_users where id = ${user.id} for no key update`.execute(tx)
    const { rows } = await sql`select 1 from audit_events where entity = 'sftp-user' and entity_id = ${id}
      and intent = ${intent} and at > ${now}::timestamptz - interval '1 day' limit 1`.execute(tx)
    if (rows.length > 0) return
    await recordEvent(tx, {
      actor: service,
      intent,
      entity: 'sftp-user',
      entityId: id,
      category: 'security',
      status: 'Many wrong passwords',
      text: `${wrong} wrong passwords were tried for this user within a day. They do not keep it out where it signed in before.`,
      after: { address },
      version: user.version,
    })
  })
}
