import { Secret, TOTP } from 'otpauth'

/** RFC 6238 with the parameters that every authenticator app supports (docs/rules/sign-in.md). */
const period = 30
const digits = 6
const algorithm = 'SHA1'
/** Accepted steps on either side. */
export const window = 1
/** Steps on either side, half an hour, within which a refused code is explained by a wrong clock. */
const explainedWindow = 60

/** Account name shown by authenticator apps. */
const issuer = 'Admin Portal'

const generator = (secret: string, label = '') =>
  new TOTP({ issuer, label, algorithm, digits, period, secret: Secret.fromBase32(secret) })

/** A new secret of 20 random bytes, in base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** The URL in the QR code of a set-up. */
export const otpauthAddress = (secret: string, email: string): string => generator(secret, email).toString()

/** The 30-second step of a moment. */
export const stepAt = (now: Date): number => Math.floor(now.getTime() / 1000 / period)

/** The code of one step. */
export const codeOfStep = (secret: string, step: number): string =>
  generator(secret).generate({ timestamp: step * period * 1000 })

/** The step of a code within the accepted window; null if the code is wrong. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const delta = generator(secret).validate({ token: code, timestamp: now.getTime(), window })
  return delta === null ? null : stepAt(now) + delta
}

/**
 * The step of a code that is valid at a time up to half an hour away, as shown by a phone with a wrong clock; null if there is
 * none.
 */
export function stepOfOtherTime(secret: string, code: string, now: Date): number | null {
  const delta = generator(secret).validate({ token: code, timestamp: now.getTime(), window: explainedWindow })
  return delta === null ? null : stepAt(now) + delta
}

/** The time of a step as text: `about 3 minutes ago`, `about 1 minute from now`. */
export function timeOfStep(step: number, now: Date): string {
  const minutes = Math.round((Math.abs(step - stepAt(now)) * period) / 60)
  return `about ${minutes === 1 ? '1 minute' : `${minutes} minutes`} ${step < stepAt(now) ? 'ago' : 'from now'}`
}

/**
 * The next code that will be accepted after the last accepted one: of this step, or of a later one. `seconds` is how long it
 * stays valid, `wait` how long until it becomes valid.
 */
export function nextUnusedCode(
  secret: string,
  lastStep: number | null,
  now: Date,
): { code: string; seconds: number; wait: number } {
  const seconds = now.getTime() / 1000
  // A last step in the future comes from a clock that was ahead.
  const last = lastStep === null || lastStep > stepAt(now) + window ? -1 : lastStep
  const step = Math.max(stepAt(now), last + 1)
  return {
    code: codeOfStep(secret, step),
    seconds: Math.max(1, Math.floor((step + 1 + window) * period - seconds)),
    wait: Math.max(0, Math.ceil((step - window) * period - seconds)),
  }
}
