import { type Kysely, sql } from 'kysely'
import { brandOf } from '#domain/brand.ts'
import { employeeEvents } from '#domain/employee-event.ts'
import { queueMail } from '#server/auth/outbox.ts'
import { digest, randomToken } from '#server/auth/secret.ts'
import { inTransaction } from '#server/postgres/transaction.ts'
import { Refused } from '#server/http-error.ts'
import { recordEvent } from '#server/tables/audit.ts'
import type { Database, Tx } from '#server/tables/database.ts'
import { saveUser } from '#server/tables/users.ts'

const validHours = 72

/** Mails a confirmation link to a new address, in the transaction of the change. Returns the columns of the user's row for it. */
export async function mailToConfirm(
  tx: Tx,
  { brand, email }: { brand: string; email: string },
  now: Date,
): Promise<{ email_token_hash: string; email_token_until: Date }> {
  const token = randomToken()
  const until = new Date(now.getTime() + validHours * 60 * 60 * 1000)
  const { name } = brandOf(brand)
  const body = `Confirm this address in the ${name} app with this code: ${token}

It is good for ${validHours} hours. If you did not ask for it, do nothing: nothing changes.`
  await queueMail(tx, { recipient: email, subject: `Confirm your new e-mail for ${name}`, body, hours: validHours }, now)
  return { email_token_hash: digest(token), email_token_until: until }
}

/** Throws 409 where another user of the brand signs in with this e-mail; only who reads its mail learns this. */
async function refuseTaken(tx: Tx, brand: string, email: string, id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`user e-mail ${brand} ${email.toLowerCase()}`}))`.execute(tx)
  const { rows } = await sql`select from users where brand = ${brand} and id <> ${id} and status <> 'DELETED'
    and email_key = fold(${email}) and lower(email) = lower(${email}) limit 1`.execute(tx)
  if (rows.length > 0) throw new Refused(409, 'email-taken', 'Another account has this e-mail already.')
}

/**
 * Makes the address that received the code the user's e-mail; the code is used up. Throws 410 for any other code, 409 if another
 * user of the brand has the address.
 */
export const confirmNewEmail = (db: Kysely<Database>, token: string, now: Date): Promise<void> =>
  inTransaction(db, async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['id', 'brand', 'email', 'pending_email', 'status'])
      .where('email_token_hash', '=', digest(token))
      .where('email_token_until', '>', now)
      .forUpdate()
      .executeTakeFirst()
    if (!user?.pending_email)
      throw new Refused(410, 'link-invalid', 'This code was used already or is too old. Ask for a new one.')
    await refuseTaken(tx, user.brand, user.pending_email, user.id)
    const after = await saveUser(
      tx,
      user,
      {
        email: user.pending_email,
        pending_email: null,
        // Who reads the mail of an address has confirmed the account, too.
        status: 'ACTIVE',
        status_before_email: null,
        email_token_hash: null,
        email_token_until: null,
      },
      null,
      now,
    )
    await recordEvent(tx, {
      actor: { id: 'user', name: 'The user' },
      intent: 'user.confirm-email',
      entity: 'user',
      entityId: String(user.id),
      status: employeeEvents.emailConfirmed,
      before: { email: user.email, pending_email: user.pending_email, status: user.status },
      after: { email: user.pending_email, pending_email: null, status: 'ACTIVE' },
      version: after.version,
    })
  })
