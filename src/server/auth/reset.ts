import { sql } from 'kysely'
import { guess, WrongGuess } from '#server/limits/attempts.ts'
import { isKnownDevice } from '#server/limits/known-devices.ts'
import { inAnHour, obstacleTo, takeGuess } from '#server/limits/guesses.ts'
import { placeOf } from '#server/limits/hash-queue.ts'
import { blockOf, networkOf } from '#server/limits/network.ts'
import { hashPassword } from '#server/auth/password.ts'
import { digest, randomCode, sameSecret } from '#server/auth/secret.ts'
import { endSessionsOf } from '#server/auth/session.ts'
import type { SignIn } from '#server/auth/sign-in.ts'
import { recordSignInEvent } from '#server/auth/sign-in-events.ts'
import type { Caller } from '#server/auth/caller.ts'

const codeSeconds = 10 * 60
const triesAllowed = 5
/**
 * Codes for one account from one network per quarter of an hour; codes for one account, and from one network, by unknown callers
 * per hour.
 */
const codesFromNetwork = 5
const codesForAccount = 20
const codesOfNetwork = 30
/** Codes from a block of networks that one owner may hold, which may be very many. */
const codesOfBlock = 300

/** ERR-005. */
const wrongCode = () => new WrongGuess(400, 'authorization-code-invalid', 'Invalid authorization code')

/** A code is valid only for its requester, so that others cannot use up its tries. */
const requesterOf = (caller: Caller) => digest(caller.device ? `device:${caller.device}` : `network:${networkOf(caller.address)}`)

/**
 * Mails a reset code when the e-mail is known. The same statement runs for known and unknown e-mails; above the limits nothing is
 * sent, and the answer does not reveal it.
 */
export async function requestReset({ db, caller, now }: SignIn, typed: string): Promise<void> {
  const email = typed.toLowerCase()
  const code = randomCode()
  const network = networkOf(caller.address)
  const fromKnownDevice = await isKnownDevice(db, email, caller, now)
  const ofBlock = inAnHour(digest('codes of block', blockOf(caller.address)), codesOfBlock)
  if (!fromKnownDevice && (await obstacleTo(db, ofBlock, now))) return
  const { rows } = await sql<{ made: boolean }>`
    with allowed as (
      select 1 where
        (select count(*) from reset_codes where email = ${email} and network = ${network}
          and created_at > ${now}::timestamptz - interval '15 minutes') < ${codesFromNetwork}
        and (${fromKnownDevice}::boolean or (
          (select count(*) from reset_codes where email = ${email}
            and created_at > ${now}::timestamptz - interval '1 hour') < ${codesForAccount}
          and (select count(*) from reset_codes where network = ${network}
            and created_at > ${now}::timestamptz - interval '1 hour') < ${codesOfNetwork}))
    ), made as (
      insert into reset_codes (email, person_id, code_hash, requester, network, created_at, expires_at)
      select ${email}, person.id, ${digest(email, code)}, ${requesterOf(caller)}, ${network}, ${now},
        ${now}::timestamptz + make_interval(secs => ${codeSeconds})
      from allowed left join people person
        on person.email = ${email} and person.status = 'ACTIVE' and person.password_hash is not null
      returning person_id, expires_at
    ), mailed as (
      insert into outbox (recipient, subject, body, created_at, expires_at, next_attempt_at)
      select ${email}, 'Your password reset code', ${resetMail(code)}, ${now}, expires_at, ${now}
      from made where person_id is not null
    )
    select exists (select from made) as made
  `.execute(db)
  // Only sent codes count, so that one network, which may get few, does not use up the limit of its block.
  if (!fromKnownDevice && rows[0]?.made) await takeGuess(db, ofBlock, now)
}

/**
 * Checks a code without using it up; a wrong one costs one of its five tries, and counts as a wrong guess at the account. Throws
 * 400, and the errors of `guess`.
 */
export async function checkResetCode(context: SignIn, typed: string, code: string): Promise<void> {
  await matchingCode(context, typed.toLowerCase(), code)
}

/** Sets a new password with a code and ends every session; it neither signs in nor changes the authenticator. Throws 400. */
export async function confirmReset(
  context: SignIn,
  { email: typed, code, password }: { email: string; code: string; password: string },
): Promise<void> {
  const { db, caller, auth, now } = context
  const email = typed.toLowerCase()
  const found = await matchingCode(context, email, code)
  const hash = await hashPassword(password, auth.passwordCost, placeOf(caller, 'strangers'))
  await db.transaction().execute(async (tx) => {
    const used = await tx
      .updateTable('reset_codes')
      .set({ used_at: now })
      .where('id', '=', found.id)
      .where('used_at', 'is', null)
      .executeTakeFirst()
    if (used.numUpdatedRows === 0n) throw wrongCode()
    await tx
      .updateTable('reset_codes')
      .set({ used_at: now })
      .where('person_id', '=', found.personId)
      .where('used_at', 'is', null)
      .execute()
    const changed = await tx
      .updateTable('people')
      .set((row) => ({ password_hash: hash, version: row('version', '+', 1), updated_at: now }))
      .where('id', '=', found.personId)
      .where('status', '=', 'ACTIVE')
      // Guards against a code requested while the e-mail or the password was being removed, when it could not be invalidated yet.
      .where('email', '=', email)
      .where('password_hash', 'is not', null)
      .returning(['id', 'name'])
      .executeTakeFirst()
    if (!changed) throw wrongCode()
    await endSessionsOf(tx, found.personId, 'PASSWORD_CHANGED', now)
    await recordSignInEvent(tx, 'person.change-password', changed, caller)
  })
}

function matchingCode(context: SignIn, email: string, code: string): Promise<{ id: string; personId: string }> {
  const { db, caller, now } = context
  const validate = async () => {
    // The try is counted before the code is compared, so that concurrent ones all count.
    const { rows } = await sql<{ id: string; person_id: string | null; code_hash: string }>`
      update reset_codes set tries = tries + 1
      where id = (
        select id from reset_codes
        where email = ${email} and requester = ${requesterOf(caller)}
        order by created_at desc limit 1
      ) and used_at is null and expires_at > ${now} and tries < ${triesAllowed}
      returning id, person_id, code_hash
    `.execute(db)
    const row = rows[0]
    const right = sameSecret(row?.code_hash ?? '', digest(email, code))
    if (!row?.person_id || !right) throw wrongCode()
    await db
      .updateTable('reset_codes')
      .set((is) => ({ tries: is('tries', '-', 1) }))
      .where('id', '=', row.id)
      .execute()
    return { id: row.id, personId: row.person_id }
  }
  return guess(context, email, validate, { lock: false })
}

const resetMail = (code: string) => `Your code to choose a new password is ${code}.

It is good for 10 minutes and can be used once, in the browser where you asked for it.
If you did not ask for it, you can leave it: your password stays as it is.`
