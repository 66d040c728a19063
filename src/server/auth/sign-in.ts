import type { Kysely } from 'kysely'
import type { AuthReply } from '#contract/authentication.ts'
import { type Attempt, beginAttempt, releaseAttempt, settleAttempt } from '#server/auth/attempts.ts'
import { verifyPassword } from '#server/auth/password.ts'
import { seal, unseal } from '#server/auth/sealing.ts'
import { digest, randomToken } from '#server/auth/secret.ts'
import { startSession } from '#server/auth/session.ts'
import { type AtTheDoor, recordSignInEvent } from '#server/auth/sign-in-events.ts'
import type { AuthSettings } from '#server/auth/settings.ts'
import { newTotpSecret, otpauthAddress, stepOfCode } from '#server/auth/totp.ts'
import { Refused } from '#server/refused.ts'
import type { Caller, Tx } from '#server/route.ts'
import type { Database } from '#server/tables/database.ts'

const challengeSeconds = 5 * 60

/** What the steps of a sign-in are given. */
export interface SignIn {
  db: Kysely<Database>
  caller: Caller
  auth: AuthSettings
  now: Date
}

const wrongCredentials = () =>
  new Refused(401, 'credentials-invalid', 'The e-mail address or the password is not right. Check both and try again.')
const wrongCode = () =>
  new Refused(401, 'code-invalid', 'That code is not right or was used already. Enter the next code of your authenticator.')
const noChallenge = () => new Refused(401, 'challenge-expired', 'This sign-in took too long. Start again with your password.')

/**
 * SIGN_IN: the password is judged and a challenge follows (AUTH-001, AUTH-002, AUTH-004). Unknown e-mails, removed
 * people and people without a password get the answer of a wrong password, after the same time.
 */
export async function answerPassword(
  { db, caller, auth, now }: SignIn,
  { email: typed, password }: { email: string; password: string },
): Promise<AuthReply> {
  const email = typed.toLowerCase()
  const attempt = await beginAttempt(db, email, caller, now)
  const person = await db
    .selectFrom('people')
    .select(['id', 'name', 'password_hash', 'totp_secret'])
    .where('email', '=', email)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst()
  const good = await verifyPassword(password, person?.password_hash ?? null, auth.passwordCost)
  if (!person || !good) {
    // The same work for an e-mail that nobody has.
    await recordFailure(db, person ?? { email }, caller, attempt, 'password')
    throw wrongCredentials()
  }

  const session = randomToken()
  const secret = person.totp_secret === null ? newTotpSecret() : null
  const step = secret ? 'MFA_SETUP' : 'SOFTWARE_TOKEN_MFA'
  await db
    .insertInto('challenges')
    .values({
      session_hash: digest(session),
      person_id: person.id,
      step,
      pending_secret: secret && seal(auth.sealingKey, secret, person.id),
      expires_at: new Date(now.getTime() + challengeSeconds * 1000),
    })
    .execute()
  await releaseAttempt(db, attempt)
  return {
    challenge: step,
    session,
    user_id: person.id,
    ...(secret ? { secret, otpauth_uri: otpauthAddress(secret, email) } : {}),
  }
}

/** The challenge that each answer answers (AUTH-003, AUTH-004). */
const challengeOf = { VERIFY_SOFTWARE_TOKEN: 'MFA_SETUP', SOFTWARE_TOKEN_MFA: 'SOFTWARE_TOKEN_MFA' } as const

/** VERIFY_SOFTWARE_TOKEN or SOFTWARE_TOKEN_MFA: the code is judged and a session starts. No code is good twice. */
export async function answerCode(
  { db, caller, auth, now }: SignIn,
  userId: string,
  { step, session, code }: { step: keyof typeof challengeOf; session: string; code: string },
): Promise<AuthReply> {
  const challenge = await db
    .selectFrom('challenges')
    .innerJoin('people', 'people.id', 'challenges.person_id')
    .select(['people.id', 'people.name', 'people.email', 'people.totp_secret', 'challenges.step', 'challenges.pending_secret'])
    .where('challenges.session_hash', '=', digest(session))
    .where('challenges.expires_at', '>', now)
    .where('people.status', '=', 'ACTIVE')
    .executeTakeFirst()
  if (!challenge || challenge.id !== userId || challenge.step !== challengeOf[step]) throw noChallenge()

  const attempt = await beginAttempt(db, challenge.email, caller, now)
  const kept = challenge.pending_secret ?? challenge.totp_secret
  const codeStep = kept === null ? null : stepOfCode(unseal(auth.sealingKey, kept, challenge.id), code, now)
  const wrong = async (): Promise<Refused> => {
    await recordFailure(db, challenge, caller, attempt, 'code')
    return wrongCode()
  }
  if (codeStep === null) throw await wrong()

  const started = await db.transaction().execute(async (tx) => {
    if (!(await useCode(tx, challenge.id, challenge.pending_secret, codeStep))) return null
    const used = await tx.deleteFrom('challenges').where('session_hash', '=', digest(session)).executeTakeFirst()
    if (used.numDeletedRows === 0n) throw noChallenge()
    if (challenge.pending_secret) await recordSignInEvent(tx, 'person.set-up-authenticator', challenge, caller)
    await recordSignInEvent(tx, 'person.sign-in', challenge, caller)
    return startSession(tx, challenge.id, caller, auth, now)
  })
  if (!started) throw await wrong()
  await settleAttempt(db, attempt, challenge.id, caller, now)
  return { access_token: started.token, expires_at: started.expiresAt.toISOString() }
}

/** Writes down that a sign-in failed at this step, and that it locked who tried. */
async function recordFailure(
  db: Kysely<Database>,
  who: AtTheDoor,
  caller: Caller,
  attempt: Attempt,
  step: 'password' | 'code',
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await recordSignInEvent(tx, 'person.fail-sign-in', who, caller, { step })
    if (attempt.lockedUntil)
      await recordSignInEvent(tx, 'person.lock-out', who, caller, { until: attempt.lockedUntil.toISOString() })
  })
}

/** Moves the last accepted step forward; false when this step, or a later one, was accepted before. */
async function useCode(tx: Tx, personId: string, pendingSecret: string | null, codeStep: number): Promise<boolean> {
  const update = tx.updateTable('people').set({ totp_last_step: codeStep }).where('id', '=', personId)
  const result = pendingSecret
    ? await update.set({ totp_secret: pendingSecret }).where('totp_secret', 'is', null).executeTakeFirst()
    : await update
        .where((is) => is.or([is('totp_last_step', 'is', null), is('totp_last_step', '<', codeStep)]))
        .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
