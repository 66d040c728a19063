import { placeOf } from '#server/limits/hash-queue.ts'
import { queueMail } from '#server/auth/outbox.ts'
import { hashPassword } from '#server/auth/password.ts'
import { digest, randomToken } from '#server/auth/secret.ts'
import { endSessionsOf } from '#server/auth/session.ts'
import { recordSignInEvent } from '#server/auth/sign-in-events.ts'
import type { AuthSettings } from '#server/auth/settings.ts'
import type { SignIn } from '#server/auth/sign-in.ts'
import { Refused } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'

const linkHours = 72

const subject = 'Your access to Admin Portal'

const invalidLink = (sentence: string) => new Refused(410, 'link-invalid', sentence)
const deadLink = () => invalidLink('This set-up link was used already or is too old. Ask for a new one.')
const withdrawnLink = () => invalidLink('This invitation was withdrawn. Ask the person who invited you for a new one.')

/** Creates a set-up link, valid once and for 72 hours; earlier links of the person become invalid. Returns its URL. */
export async function invite(
  tx: Tx,
  personId: string,
  settings: Pick<AuthSettings, 'portalAddress'>,
  now: Date,
): Promise<string> {
  const token = randomToken()
  await tx.deleteFrom('invitations').where('person_id', '=', personId).where('used_at', 'is', null).execute()
  await tx
    .insertInto('invitations')
    .values({
      token_hash: digest(token),
      person_id: personId,
      created_at: now,
      expires_at: new Date(now.getTime() + linkHours * 60 * 60 * 1000),
    })
    .execute()
  // In the fragment, so that it appears in no server log on the way.
  return `${settings.portalAddress}/welcome#token=${token}`
}

/** Mails the same link, in the transaction that created the person. */
export async function inviteByMail(
  tx: Tx,
  person: { id: string; email: string; name: string },
  settings: Pick<AuthSettings, 'portalAddress'>,
  now: Date,
): Promise<void> {
  const address = await invite(tx, person.id, settings, now)
  const body = `Hello ${person.name},

choose your password here: ${address}

The link can be used once and is good for ${linkHours} hours. At the first sign-in you set up an authenticator app.`
  await queueMail(tx, { recipient: person.email, subject, body, hours: linkHours }, now)
}

/** Withdraws the mailed link of a person; opening it then says so. A mail not sent yet is dropped. */
export async function withdrawInvitation(tx: Tx, person: { id: string; email: string }, now: Date): Promise<void> {
  await tx
    .updateTable('invitations')
    .set({ withdrawn_at: now })
    .where('person_id', '=', person.id)
    .where('used_at', 'is', null)
    .execute()
  await unsendInvitation(tx, person.email)
}

/** Drops an unsent mail with an invalid link. */
export const unsendInvitation = async (tx: Tx, email: string): Promise<void> =>
  void (await tx
    .deleteFrom('outbox')
    .where('recipient', '=', email)
    .where('subject', '=', subject)
    .where('sent_at', 'is', null)
    .execute())

/** The person of a link. Throws 410 if it is used, expired or withdrawn, and if there is none. */
async function linkIn(on: SignIn['db'] | Tx, token: string, now: Date): Promise<{ person_id: string; email: string }> {
  const link = await on
    .selectFrom('invitations')
    .innerJoin('people', 'people.id', 'person_id')
    .select(['person_id', 'withdrawn_at', 'people.email'])
    .where('token_hash', '=', digest(token))
    .where('used_at', 'is', null)
    .where('invitations.expires_at', '>', now)
    .where('people.status', '<>', 'DELETED')
    .executeTakeFirst()
  if (!link) throw deadLink()
  if (link.withdrawn_at) throw withdrawnLink()
  return link
}

/** Returns the e-mail of a link without using it. Throws 410. */
export async function checkInvitation({ db, now }: Pick<SignIn, 'db' | 'now'>, token: string): Promise<{ email: string }> {
  const { email } = await linkIn(db, token, now)
  return { email }
}

/** Sets the first password with a link, which is then used up. Returns the e-mail to sign in with. Throws 410. */
export async function acceptInvitation(
  { db, caller, auth, now }: SignIn,
  { token, password }: { token: string; password: string },
): Promise<{ email: string }> {
  const alive = await linkIn(db, token, now)
  const hash = await hashPassword(password, auth.passwordCost, placeOf(caller, 'strangers'))
  return db.transaction().execute(async (tx) => {
    // Locks the person before their links, in the same order as changes to the person do, so that the two cannot deadlock.
    await tx.selectFrom('people').select('id').where('id', '=', alive.person_id).forNoKeyUpdate().execute()
    await linkIn(tx, token, now)
    await tx.updateTable('invitations').set({ used_at: now }).where('token_hash', '=', digest(token)).execute()
    const person = await tx
      .updateTable('people')
      .set((row) => ({ password_hash: hash, status: 'ACTIVE', version: row('version', '+', 1), updated_at: now }))
      .where('id', '=', alive.person_id)
      .returning(['id', 'name', 'email'])
      .executeTakeFirstOrThrow()
    await endSessionsOf(tx, alive.person_id, 'PASSWORD_CHANGED', now)
    await recordSignInEvent(tx, 'person.choose-password', person, caller)
    return { email: person.email }
  })
}
