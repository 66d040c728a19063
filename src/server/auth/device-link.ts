import { sql } from 'kysely'
import { knowDevice } from '#server/limits/known-devices.ts'
import { digest, randomToken } from '#server/auth/secret.ts'
import type { SignIn } from '#server/auth/sign-in.ts'
import { Refused } from '#server/http-error.ts'

/** Lifetime of a link and maximum number of links per hour, so that the owner has a valid one even if others request them. */
const linkSeconds = 60 * 60
const linksInAnHour = 4
/** How long the browser that opened a link may sign in like a known device. */
const vouchedSeconds = 30 * 60

const deadLink = () => new Refused(410, 'link-invalid', 'This link was used already or is too old. Ask for a new one.')

/**
 * Mails a link to sign in on another device when the e-mail is known; above the limit nothing is sent. The answer is the same in
 * every case. Waits for a concurrent change of the person: otherwise the link could go to an e-mail that is no longer theirs.
 */
export async function requestDeviceLink({ db, auth, now }: SignIn, typed: string): Promise<void> {
  const token = randomToken()
  const address = `${auth.portalAddress}/device#token=${token}`
  await sql`
    with person as (
      select id, email from people where email = ${typed.toLowerCase()} and status = 'ACTIVE' and password_hash is not null
      for share
    ), made as (
      insert into device_links (token_hash, person_id, created_at, expires_at)
      select ${digest(token)}, id, ${now}, ${now}::timestamptz + make_interval(secs => ${linkSeconds}) from person
      where (select count(*) from device_links where person_id = person.id
        and created_at > ${now}::timestamptz - interval '1 hour') < ${linksInAnHour}
      returning person_id, expires_at
    )
    insert into outbox (recipient, subject, body, created_at, expires_at, next_attempt_at)
    select person.email, 'Sign in on this device', ${linkMail(address)}, ${now}, made.expires_at, ${now}
    from made join person on person.id = made.person_id
  `.execute(db)
}

/**
 * Consumes a link: for half an hour the browser that opened it may try to sign in like a known device, whatever others tried. It
 * signs nobody in. Returns the e-mail and the value that the browser stores. Throws 410.
 */
export async function openDeviceLink(
  { db, caller, now }: Pick<SignIn, 'db' | 'caller' | 'now'>,
  token: string,
): Promise<{ email: string; device: string }> {
  return db.transaction().execute(async (tx) => {
    const used = await tx
      .updateTable('device_links')
      .set({ used_at: now })
      .where('token_hash', '=', digest(token))
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('person_id')
      .executeTakeFirst()
    const person =
      used &&
      (await tx
        .selectFrom('people')
        .select(['id', 'email'])
        .where('id', '=', used.person_id)
        .where('status', '=', 'ACTIVE')
        .executeTakeFirst())
    if (!person) throw deadLink()
    return { email: person.email, device: await knowDevice(tx, person.id, caller, now, vouchedSeconds) }
  })
}

const linkMail = (
  address: string,
) => `Somebody asked to sign in to Admin Portal with this e-mail address on a device that never did before.

If it was you, open this link in the browser where you want to sign in: ${address}

It can be used once and is good for an hour. You then sign in with your password and a code as always.
If it was not you, you can leave it: nobody gets in by asking for it.`
