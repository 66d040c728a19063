import { sql } from 'kysely'
import type { AuthReply } from '#contract/authentication.ts'
import { type Guesser, forgetFailures, guess, WrongGuess } from '#server/auth/attempts.ts'
import { knowDevice } from '#server/auth/device.ts'
import { recordFailure } from '#server/auth/failures.ts'
import { placeOf } from '#server/auth/hash-queue.ts'
import { verifyPassword } from '#server/auth/password.ts'
import { seal, unseal } from '#server/auth/sealing.ts'
import { digest, randomToken } from '#server/auth/secret.ts'
import { startSession } from '#server/auth/session.ts'
import { recordSignInEvent } from '#server/auth/sign-in-events.ts'
import type { AuthSettings } from '#server/auth/settings.ts'
import { newTotpSecret, otpauthAddress, stepAt, stepOfCode, window } from '#server/auth/totp.ts'
import { Refused } from '#server/refused.ts'
import type { Tx } from '#server/tables/database.ts'

const challengeSeconds = 5 * 60
/** Codes that a challenge is answered with at most. */
const triesOfChallenge = 5

/** What the steps of a sign-in are given. */
export interface SignIn extends Guesser {
  auth: AuthSettings
}

const wrongCredentials = () =>
  new WrongGuess(401, 'credentials-invalid', 'The e-mail address or the password is not right. Check both and try again.')
const wrongCode = () =>
  new WrongGuess(401, 'code-invalid', 'That code is not right or was used already. Enter the next code of your authenticator.')
const noChallenge = (sentence = 'This sign-in took too long. Start again with your password.') =>
  new Refused(401, 'challenge-expired', sentence)

/**
 * SIGN_IN: the password is judged and a challenge follows (AUTH-001, AUTH-002, AUTH-004). Unknown e-mails, removed
 * people and people without a password get the answer of a wrong password, after the same time.
 */
export function answerPassword(
  context: SignIn,
  { email: typed, password }: { email: string; password: string },
): Promise<AuthReply> {
  const { db, caller, auth, now } = context
  const email = typed.toLowerCase()
  return guess(context, email, async (attempt) => {
    const person = await db
      .selectFrom('people')
      .select(['id', 'name', 'password_hash', 'totp_secret'])
      .where('email', '=', email)
      .where('status', '=', 'ACTIVE')
      .executeTakeFirst()
    const place = placeOf(caller, attempt.known ? 'known' : 'strangers')
    const good = await verifyPassword(password, person?.password_hash ?? null, auth.passwordCost, place)
    if (!person || !good) {
      // The same work for an e-mail that nobody has.
      await recordFailure(db, person ?? { email }, caller, { step: 'password', locked: attempt.lockedUntil !== null, now })
      throw wrongCredentials()
    }
    const session = randomToken()
    const secret = person.totp_secret === null ? newTotpSecret() : null
    const step = secret ? 'MFA_SETUP' : 'SOFTWARE_TOKEN_MFA'
    // The password may have been replaced while it was judged; a change that is about to be committed is waited for.
    const { numAffectedRows } = await sql`
      insert into challenges (session_hash, person_id, step, pending_secret, expires_at)
      select ${digest(session)}, id, ${step}, ${secret && seal(auth.sealingKey, secret, person.id)},
        ${now}::timestamptz + make_interval(secs => ${challengeSeconds})
      from people where id = ${person.id} and status = 'ACTIVE' and password_hash = ${person.password_hash} for share
    `.execute(db)
    if (numAffectedRows !== 1n) throw wrongCredentials()
    return {
      challenge: step,
      session,
      user_id: person.id,
      ...(secret ? { secret, otpauth_uri: otpauthAddress(secret, email) } : {}),
    }
  })
}

/** The challenge that each answer answers (AUTH-003, AUTH-004). */
const challengeOf = { VERIFY_SOFTWARE_TOKEN: 'MFA_SETUP', SOFTWARE_TOKEN_MFA: 'SOFTWARE_TOKEN_MFA' } as const

/**
 * VERIFY_SOFTWARE_TOKEN or SOFTWARE_TOKEN_MFA: the code is judged and a session starts. No code is good twice, and no
 * challenge for more than five.
 */
export async function answerCode(
  context: SignIn,
  userId: string,
  { step, session, code }: { step: keyof typeof challengeOf; session: string; code: string },
): Promise<AuthReply> {
  const { db, caller, auth, now } = context
  const challenge = await db
    .selectFrom('challenges')
    .innerJoin('people', 'people.id', 'challenges.person_id')
    .select(['people.id', 'people.name', 'people.email', 'people.totp_secret', 'challenges.step', 'challenges.pending_secret'])
    .where('challenges.session_hash', '=', digest(session))
    .where('challenges.expires_at', '>', now)
    .where('people.status', '=', 'ACTIVE')
    .executeTakeFirst()
  if (!challenge || challenge.id !== userId || challenge.step !== challengeOf[step]) throw noChallenge()

  return guess(context, challenge.email, async (attempt) => {
    // Counted before it is judged, whoever answers from wherever.
    const { numUpdatedRows } = await db
      .updateTable('challenges')
      .set((is) => ({ tries: is('tries', '+', 1) }))
      .where('session_hash', '=', digest(session))
      .where('tries', '<', triesOfChallenge)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw noChallenge('These were too many wrong codes. Start again with your password.')
    const kept = challenge.pending_secret ?? challenge.totp_secret
    const codeStep = kept === null ? null : stepOfCode(unseal(auth.sealingKey, kept, challenge.id), code, now)
    const started =
      codeStep !== null &&
      (await db.transaction().execute(async (tx) => {
        if (!(await useCode(tx, challenge.id, challenge.pending_secret, codeStep, now))) return null
        const used = await tx.deleteFrom('challenges').where('session_hash', '=', digest(session)).executeTakeFirst()
        if (used.numDeletedRows === 0n) throw noChallenge()
        if (challenge.pending_secret) await recordSignInEvent(tx, 'person.set-up-authenticator', challenge, caller)
        await recordSignInEvent(tx, 'person.sign-in', challenge, caller)
        await forgetFailures(tx, attempt)
        const device = await knowDevice(tx, challenge.id, caller, now)
        return { device, ...(await startSession(tx, challenge.id, { ...caller, device }, auth, now)) }
      }))
    if (!started) {
      await recordFailure(db, challenge, caller, { step: 'code', locked: attempt.lockedUntil !== null, now })
      throw wrongCode()
    }
    return { access_token: started.token, expires_at: started.expiresAt.toISOString(), device: started.device }
  })
}

/**
 * Moves the last accepted step forward; false when this step, or a later one, was accepted before. A last step that is
 * yet to come was accepted by a clock that was ahead: then only the very steps that were used are refused.
 */
async function useCode(tx: Tx, personId: string, pendingSecret: string | null, codeStep: number, now: Date): Promise<boolean> {
  const update = tx.updateTable('people').set({ totp_last_step: codeStep }).where('id', '=', personId)
  const { numUpdatedRows } = pendingSecret
    ? await update.set({ totp_secret: pendingSecret }).where('totp_secret', 'is', null).executeTakeFirst()
    : await update
        .where(sql<boolean>`(totp_last_step is null or (
          (totp_last_step < ${codeStep} or totp_last_step > ${stepAt(now) + window})
          and not exists (select 1 from used_codes where person_id = people.id and step = ${codeStep})))`)
        .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await tx
    .insertInto('used_codes')
    .values({ person_id: personId, step: codeStep })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return true
}
