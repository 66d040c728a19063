import { sql } from 'kysely'
import type { AuthReply } from '#contract/authentication.ts'
import { type Attempt, type Guesser, forgetFailures, guess, WrongGuess } from '#server/limits/attempts.ts'
import { knowDevice } from '#server/limits/known-devices.ts'
import { recordFailure } from '#server/auth/failures.ts'
import { placeOf } from '#server/limits/hash-queue.ts'
import { verifyPassword } from '#server/auth/password.ts'
import { seal, unseal } from '#server/auth/sealing.ts'
import { digest, randomToken } from '#server/auth/secret.ts'
import { startSession } from '#server/auth/session.ts'
import { replaceRecoveryCodes, useRecoveryCode } from '#server/auth/recovery-codes.ts'
import { recordSignInEvent } from '#server/auth/sign-in-events.ts'
import type { AuthSettings } from '#server/auth/settings.ts'
import { newTotpSecret, otpauthAddress, stepAt, stepOfCode, stepOfOtherTime, timeOfStep, window } from '#server/auth/totp.ts'
import { Refused } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'

const challengeSeconds = 5 * 60
/** Maximum number of codes per challenge. */
const triesOfChallenge = 5

/** The context of the steps of a sign-in. */
export interface SignIn extends Guesser {
  auth: AuthSettings
}

const wrongCredentials = () =>
  new WrongGuess(401, 'credentials-invalid', 'The e-mail address or the password is not right. Check both and try again.')
const wrongCode = (sentence = 'That code is not right or was used already. Enter the next code of your authenticator.') =>
  new WrongGuess(401, 'code-invalid', sentence)
const noChallenge = (sentence = 'This sign-in took too long. Start again with your password.') =>
  new Refused(401, 'challenge-expired', sentence)

/**
 * SIGN_IN: evaluates the password and returns a challenge (AUTH-001, AUTH-002, AUTH-004). Unknown e-mails, removed people and
 * people without a password get the same answer as a wrong password, after the same time.
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
      // The same work for an unknown e-mail.
      await recordFailure(db, person ?? { email }, caller, { step: 'password', locked: attempt.lockedUntil !== null, now })
      throw wrongCredentials()
    }
    const session = randomToken()
    const secret = person.totp_secret === null ? newTotpSecret() : null
    const step = secret ? 'MFA_SETUP' : 'SOFTWARE_TOKEN_MFA'
    // The password may have been replaced during the evaluation; `for share` waits for an uncommitted change.
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

/** The challenge of each answer (AUTH-003, AUTH-004). */
const challengeOf = { VERIFY_SOFTWARE_TOKEN: 'MFA_SETUP', SOFTWARE_TOKEN_MFA: 'SOFTWARE_TOKEN_MFA' } as const
type ChallengeStep = (typeof challengeOf)[keyof typeof challengeOf]

/** An open challenge with its person. */
type Challenge = Awaited<ReturnType<typeof openChallenge>>

/** The challenge of a session. Throws 401 `challenge-expired` if it belongs to another person or step, or has ended. */
async function openChallenge({ db, now }: SignIn, userId: string, session: string, step: ChallengeStep) {
  const challenge = await db
    .selectFrom('challenges')
    .innerJoin('people', 'people.id', 'challenges.person_id')
    .select(['people.id', 'people.name', 'people.email', 'people.totp_secret'])
    .select(['challenges.session_hash', 'challenges.step', 'challenges.pending_secret', 'challenges.replaces'])
    .where('challenges.session_hash', '=', digest(session))
    .where('challenges.expires_at', '>', now)
    .where('people.status', '=', 'ACTIVE')
    .executeTakeFirst()
  if (!challenge || challenge.id !== userId || challenge.step !== step) throw noChallenge()
  return challenge
}

/** Counts an answer before it is checked, so that concurrent ones all count. Throws 401 after five answers. */
async function countAnswer({ db }: SignIn, { session_hash }: Challenge): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('challenges')
    .set((is) => ({ tries: is('tries', '+', 1) }))
    .where('session_hash', '=', session_hash)
    .where('tries', '<', triesOfChallenge)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw noChallenge('These were too many wrong codes. Start again with your password.')
}

/** Deletes an answered challenge; of two concurrent correct answers the second finds none. Throws 401. */
async function closeChallenge(tx: Tx, { session_hash }: Challenge): Promise<void> {
  const { numDeletedRows } = await tx.deleteFrom('challenges').where('session_hash', '=', session_hash).executeTakeFirst()
  if (numDeletedRows === 0n) throw noChallenge()
}

/** Starts the session of a person with an answered challenge. */
async function signedIn(
  tx: Tx,
  { caller, auth, now }: SignIn,
  challenge: Challenge,
  attempt: Attempt,
): Promise<Extract<AuthReply, { access_token: unknown }>> {
  await recordSignInEvent(tx, 'person.sign-in', challenge, caller)
  await forgetFailures(tx, attempt)
  const device = await knowDevice(tx, challenge.id, caller, now)
  const { token, expiresAt } = await startSession(tx, challenge.id, { ...caller, device }, auth, now)
  return { access_token: token, expires_at: expiresAt.toISOString(), device }
}

/**
 * VERIFY_SOFTWARE_TOKEN or SOFTWARE_TOKEN_MFA: checks the code and starts a session. A code is valid once, and a challenge for
 * five codes. Setting up an authenticator also returns ten recovery codes. Throws 401 `code-invalid`, `challenge-expired`, and
 * the errors of `guess`.
 */
export async function answerCode(
  context: SignIn,
  userId: string,
  { step, session, code }: { step: keyof typeof challengeOf; session: string; code: string },
): Promise<AuthReply> {
  const { db, caller, auth, now } = context
  const challenge = await openChallenge(context, userId, session, challengeOf[step])

  return guess(context, challenge.email, async (attempt) => {
    await countAnswer(context, challenge)
    const sealed = challenge.pending_secret ?? challenge.totp_secret
    const secret = sealed === null ? null : unseal(auth.sealingKey, sealed, challenge.id)
    const codeStep = secret === null ? null : stepOfCode(secret, code, now)
    const reply =
      codeStep !== null &&
      (await db.transaction().execute(async (tx): Promise<AuthReply | null> => {
        if (!(await useCode(tx, challenge, codeStep, now))) return null
        await closeChallenge(tx, challenge)
        if (!challenge.pending_secret) return signedIn(tx, context, challenge, attempt)
        await recordSignInEvent(tx, 'person.set-up-authenticator', challenge, caller)
        const recovery_codes = await replaceRecoveryCodes(tx, challenge.id)
        return { ...(await signedIn(tx, context, challenge, attempt)), recovery_codes }
      }))
    if (reply) return reply
    await recordFailure(db, challenge, caller, { step: 'code', locked: attempt.lockedUntil !== null, now })
    const otherStep = codeStep === null && secret !== null ? stepOfOtherTime(secret, code, now) : null
    if (otherStep === null) throw wrongCode()
    // The message reveals that the code is valid at a later time, so it must not be accepted then.
    await markUsed(db, challenge.id, otherStep)
    throw wrongCode(
      `That is the code of ${timeOfStep(otherStep, now)}. Check the clock of your phone: let it set the time by itself, then enter the next code.`,
    )
  })
}

/**
 * SOFTWARE_TOKEN_MFA without the authenticator: checks a recovery code, which is valid once, and starts a session; with
 * `new_authenticator` it returns an MFA_SETUP challenge instead. Throws the errors of `answerCode`.
 */
export async function answerRecoveryCode(
  context: SignIn,
  userId: string,
  { session, recovery_code, new_authenticator }: { session: string; recovery_code: string; new_authenticator: boolean },
): Promise<AuthReply> {
  const { db, caller, auth, now } = context
  const challenge = await openChallenge(context, userId, session, 'SOFTWARE_TOKEN_MFA')

  return guess(context, challenge.email, async (attempt) => {
    await countAnswer(context, challenge)
    const reply = await db.transaction().execute(async (tx): Promise<AuthReply | null> => {
      const codesLeft = await useRecoveryCode(tx, challenge.id, recovery_code)
      if (codesLeft === null) return null
      await closeChallenge(tx, challenge)
      await recordSignInEvent(tx, 'person.use-recovery-code', challenge, caller)
      if (!new_authenticator) return { ...(await signedIn(tx, context, challenge, attempt)), recovery_codes_left: codesLeft }
      const setUp = { session: randomToken(), secret: newTotpSecret() }
      await tx
        .insertInto('challenges')
        .values({
          session_hash: digest(setUp.session),
          person_id: challenge.id,
          step: 'MFA_SETUP',
          pending_secret: seal(auth.sealingKey, setUp.secret, challenge.id),
          replaces: true,
          expires_at: new Date(now.getTime() + challengeSeconds * 1000),
        })
        .execute()
      return {
        challenge: 'MFA_SETUP',
        user_id: challenge.id,
        ...setUp,
        otpauth_uri: otpauthAddress(setUp.secret, challenge.email),
      }
    })
    if (reply) return reply
    await recordFailure(db, challenge, caller, { step: 'code', locked: attempt.lockedUntil !== null, now })
    throw wrongCode('That recovery code is not right or was used already.')
  })
}

/**
 * Advances the last accepted step; false if this step, or a later one, was accepted before. A last step in the future was
 * accepted by a clock that was ahead: then only the exact steps that were used are refused.
 */
async function useCode(
  tx: Tx,
  { id, pending_secret, replaces }: Pick<Challenge, 'id' | 'pending_secret' | 'replaces'>,
  codeStep: number,
  now: Date,
): Promise<boolean> {
  const update = tx.updateTable('people').set({ totp_last_step: codeStep }).where('id', '=', id)
  const { numUpdatedRows } = pending_secret
    ? await update
        .set({ totp_secret: pending_secret })
        .$if(!replaces, (set) => set.where('totp_secret', 'is', null))
        .executeTakeFirst()
    : await update
        .where(sql<boolean>`(totp_last_step is null or (
          (totp_last_step < ${codeStep} or totp_last_step > ${stepAt(now) + window})
          and not exists (select 1 from used_codes where person_id = people.id and step = ${codeStep})))`)
        .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await markUsed(tx, id, codeStep)
  return true
}

/** Stores a step whose code is no longer valid. */
const markUsed = async (db: Pick<Tx, 'insertInto'>, personId: string, step: number): Promise<void> =>
  void (await db
    .insertInto('used_codes')
    .values({ person_id: personId, step })
    .onConflict((conflict) => conflict.doNothing())
    .execute())
