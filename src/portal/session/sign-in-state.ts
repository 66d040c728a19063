import { atom } from 'jotai/vanilla'
import {
  acceptInvitation,
  answerByRecoveryCode,
  answerChallenge,
  AuthReply,
  checkInvitation,
  confirmNewPassword,
  forgotPassword,
  openDeviceLink,
  requestDeviceLink,
  signIn,
  verifyResetCode,
} from '#contract/authentication.ts'
import type { AnyEndpoint } from '#contract/define.ts'
import { Refusal } from '#kernel/api-client.ts'
import { enter } from '#portal/session/me.ts'
import { deviceId, endedAtom, keepDevice } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { request } from '#portal/api/client.ts'

/** Message for unknown errors (ERR-001 to ERR-004). */
const somethingWrong = 'Something went wrong. Try again later.'

type AccessToken = Extract<AuthReply, { access_token: unknown }>

interface Challenge {
  email: string
  userId: string
  session: string
}

/** The step of the sign-in, as specified (AUTH-001 to AUTH-004), and those of a password reset. */
export type SignInStage =
  | { step: 'SIGN_IN'; email: string; note: string | null }
  /** Shows the secret; the first code then answers VERIFY_SOFTWARE_TOKEN. */
  | ({ step: 'MFA_SETUP'; secret: string; uri: string } & Challenge)
  | ({ step: 'VERIFY_SOFTWARE_TOKEN' } & Challenge)
  | ({ step: 'SOFTWARE_TOKEN_MFA' } & Challenge)
  /** Asks for a recovery code instead of an authenticator code. */
  | ({ step: 'RECOVERY' } & Challenge)
  /** Shows the recovery codes once; the workspace opens when the user continues. */
  | { step: 'RECOVERY_CODES'; codes: readonly string[]; reply: AccessToken; email: string; userId: string }
  /** Somebody is guessing at this account: a link by e-mail is offered. `note` says why. */
  | { step: 'LINK'; email: string; note: string }
  | { step: 'LINK_SENT'; email: string }
  | { step: 'FORGOT_EMAIL'; email: string }
  | { step: 'FORGOT_CODE'; email: string }
  | { step: 'FORGOT_PASSWORD'; email: string; code: string }

export const stageAtom = atom<SignInStage>({ step: 'SIGN_IN', email: '', note: null })

/** Goes to a step, such as 'Forgot password' or the start. */
export const setStage = (stage: SignInStage): void => store.set(stageAtom, stage)

/** An error message, or null on success. */
export type Answer = Promise<string | null>

const post = (endpoint: AnyEndpoint, at: Record<string, string>, body: unknown): Promise<unknown> =>
  request(endpoint, at, { json: body, headers: { 'device-id': deviceId() } })

/** The message of a refusal if it has one for this case; else the catalogue's. */
const sentenceOf = (error: unknown): string => {
  if (error instanceof Refusal) {
    const { code, detail } = error.problem
    const own = [
      'credentials-invalid',
      'code-invalid',
      'authorization-code-invalid',
      'link-invalid',
      'too-many-attempts',
      'challenge-expired',
    ]
    if (own.includes(code) && detail) return detail
  }
  return somethingWrong
}

/** The message of an error, or null if it leads to the step for a link by e-mail. */
function refusalOf(error: unknown, email: string): string | null {
  if (!(error instanceof Refusal) || error.problem.code !== 'link-needed') return sentenceOf(error)
  setStage({ step: 'LINK', email, note: error.problem.detail ?? '' })
  return null
}

/** A reply is an access token or a challenge (AUTH-005). */
async function goOn(answer: unknown, email: string, userId = email): Promise<void> {
  const reply = AuthReply.parse(answer)
  if ('access_token' in reply) {
    if (reply.device) keepDevice(reply.device)
    const { recovery_codes: codes } = reply
    return codes ? setStage({ step: 'RECOVERY_CODES', codes, reply, email, userId }) : openWorkspace(reply, email, userId)
  }
  const challenged = { email, userId: reply.user_id, session: reply.session }
  switch (reply.challenge) {
    case 'MFA_SETUP':
      return setStage({ step: 'MFA_SETUP', ...challenged, secret: reply.secret ?? '', uri: reply.otpauth_uri ?? '' })
    case 'SIGN_IN':
      return setStage({ step: 'SIGN_IN', email, note: null })
    default:
      return setStage({ step: reply.challenge, ...challenged })
  }
}

async function openWorkspace(reply: AccessToken, email: string, userId: string): Promise<void> {
  await enter(reply.access_token, { id: userId, email, until: reply.expires_at })
  store.set(endedAtom, null)
  setStage({ step: 'SIGN_IN', email: '', note: null })
  const left = reply.recovery_codes_left
  if (left !== undefined) showToast(`Signed in with a recovery code. ${left === 1 ? '1 code is' : `${left} codes are`} left.`)
}

/** Opens the workspace after the recovery codes. */
export async function leaveRecoveryCodes(): Answer {
  const stage = store.get(stageAtom)
  if (stage.step !== 'RECOVERY_CODES') return somethingWrong
  try {
    await openWorkspace(stage.reply, stage.email, stage.userId)
    return null
  } catch (error) {
    return sentenceOf(error)
  }
}

/** SIGN_IN: e-mail and password against POST auth. */
export async function submitPassword(email: string, password: string): Answer {
  try {
    await goOn(await post(signIn, {}, { step: 'SIGN_IN', email, password }), email)
    return null
  } catch (error) {
    return refusalOf(error, email)
  }
}

/** Submits an authenticator code for the current challenge. */
export function submitCode(code: string): Answer {
  const { step } = store.get(stageAtom)
  const answers = step === 'SOFTWARE_TOKEN_MFA' ? 'SOFTWARE_TOKEN_MFA' : 'VERIFY_SOFTWARE_TOKEN'
  return submitAnswer(answerChallenge, { step: answers, code })
}

/** Submits a recovery code for the current challenge; may continue with a new authenticator. */
export const submitRecoveryCode = (recovery_code: string, new_authenticator: boolean): Answer =>
  submitAnswer(answerByRecoveryCode, { recovery_code, new_authenticator })

/** Submits an answer to the current challenge. An expired challenge leads back to the start. */
async function submitAnswer(endpoint: AnyEndpoint, body: object): Answer {
  const stage = store.get(stageAtom)
  if (!('session' in stage)) return somethingWrong
  const { email, userId, session } = stage
  try {
    await goOn(await post(endpoint, { userId }, { session, ...body }), email, userId)
    return null
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.code !== 'challenge-expired') return refusalOf(error, email)
    setStage({ step: 'SIGN_IN', email, note: sentenceOf(error) })
    return null
  }
}

/** Forgot password, step 1: the same answer whether or not the e-mail is known. */
export async function askReset(email: string): Answer {
  try {
    await post(forgotPassword, {}, { email })
    setStage({ step: 'FORGOT_CODE', email })
    return null
  } catch (error) {
    return sentenceOf(error)
  }
}

/** Forgot password, step 2: 'Invalid authorization code' on a bad one (ERR-005). */
export async function checkReset(code: string): Answer {
  const { email } = store.get(stageAtom) as { email: string }
  try {
    await post(verifyResetCode, {}, { email, code })
    setStage({ step: 'FORGOT_PASSWORD', email, code })
    return null
  } catch (error) {
    return refusalOf(error, email)
  }
}

/** Forgot password, step 3; leads back to the sign-in form. */
export async function confirmReset(password: string): Answer {
  const { email, code } = store.get(stageAtom) as { email: string; code: string }
  try {
    await post(confirmNewPassword, {}, { email, code, password })
    setStage({ step: 'SIGN_IN', email, note: 'Your password was changed. Sign in with the new one.' })
    return null
  } catch (error) {
    return refusalOf(error, email)
  }
}

/**
 * The addressee of an invitation, or why it is no longer valid; null if that is unknown, for example if the API has no such call.
 */
export async function checkWelcome(token: string): Promise<{ email: string } | { dead: string } | null> {
  try {
    return checkInvitation.answer.parse(await post(checkInvitation, {}, { token }))
  } catch (error) {
    return error instanceof Refusal && error.problem.code === 'link-invalid' ? { dead: sentenceOf(error) } : null
  }
}

/** Sets the first password with the token of an invitation; leads to the sign-in form. */
export async function acceptWelcome(token: string, password: string): Answer {
  try {
    const { email } = acceptInvitation.answer.parse(await post(acceptInvitation, {}, { token, password }))
    setStage({ step: 'SIGN_IN', email, note: 'Your password is set. Sign in with it.' })
    return null
  } catch (error) {
    return sentenceOf(error)
  }
}

/** Requests a link to sign in on this device: the same answer whether or not the e-mail is known. */
export async function askLink(email: string): Answer {
  try {
    await post(requestDeviceLink, {}, { email })
    setStage({ step: 'LINK_SENT', email })
    return null
  } catch (error) {
    return sentenceOf(error)
  }
}

/** Opens such a link on this device; leads to the sign-in form. */
export async function openLink(token: string): Answer {
  try {
    const { email, device } = openDeviceLink.answer.parse(await post(openDeviceLink, {}, { token }))
    keepDevice(device)
    setStage({ step: 'SIGN_IN', email, note: 'You can sign in on this device now.' })
    return null
  } catch (error) {
    return sentenceOf(error)
  }
}
