import { z } from 'zod'
import { passwordRules } from '#domain/password.ts'
import { anybody } from '#domain/permissions.ts'
import { parseRecoveryCode } from '#domain/recovery-code.ts'
import { endpoint } from '#contract/define.ts'
import { fieldMeta, required } from '#contract/fields.ts'

/** E-mail in the sign-in form (docs/rules/sign-in.md). */
export const signInEmail = z
  .string({ error: 'E-mail is required' })
  .trim()
  .min(1, 'E-mail is required')
  .max(254, 'Enter a valid e-mail address')
  .pipe(z.email('Enter a valid e-mail address'))

/** A password typed to sign in: only required to be non-empty, so that the rules may change later. */
export const typedPassword = z.string({ error: required }).min(1, required).max(256, 'At most 256 characters')

/** A new password: the first broken rule is reported (AUTH-010 to AUTH-014). */
export const newPassword = typedPassword.superRefine((password, context) => {
  const broken = passwordRules.find((rule) => !rule.holds(password))
  if (broken) context.addIssue({ code: 'custom', message: `The password needs ${broken.message.toLowerCase()}.` })
})

/** A two-factor or reset code (AUTH-015, AUTH-016). */
export const sixDigits = z
  .string({ error: required })
  .trim()
  .min(1, required)
  .transform((text) => text.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'The code must be 6 digits'))

/** A recovery code as typed, with or without separators; parsed to its canonical form. */
export const recoveryCode = z
  .string({ error: required })
  .trim()
  .min(1, required)
  .max(100, 'At most 100 characters')
  .transform((typed, context) => {
    const code = parseRecoveryCode(typed)
    if (code !== null) return code
    context.addIssue({ code: 'custom', message: 'A recovery code has 16 letters and digits, such as 7K2M-90QX-TB4E-HV6R.' })
    return z.NEVER
  })

fieldMeta.add(signInEmail, { kind: 'e-mail', title: 'E-mail' })
fieldMeta.add(typedPassword, { kind: 'secret', title: 'Password' })
fieldMeta.add(newPassword, { kind: 'secret', title: 'New password' })
fieldMeta.add(sixDigits, { kind: 'code', title: 'Code' })
fieldMeta.add(recoveryCode, { kind: 'secret', title: 'Recovery code' })

/** Steps of the sign-in flow (AUTH-001 to AUTH-004). */
const signInSteps = ['SIGN_IN', 'MFA_SETUP', 'VERIFY_SOFTWARE_TOKEN', 'SOFTWARE_TOKEN_MFA'] as const

/** Either an access token or a challenge (AUTH-005). */
export const AuthReply = z.union([
  z.object({
    access_token: z.string(),
    /** An extension. */
    expires_at: z.iso.datetime().optional(),
    /**
     * An extension: this browser stores it and sends it as `device-id` with its next sign-in, which then cannot be throttled by
     * attempts of others.
     */
    device: z.string().optional(),
    /** An extension: after the setup of an authenticator, ten codes that each replace it for one sign-in. Returned only once. */
    recovery_codes: z.array(z.string()).optional(),
    /** An extension: after a sign-in with a recovery code, how many are left. */
    recovery_codes_left: z.int().optional(),
  }),
  z.object({
    challenge: z.enum(signInSteps),
    /** Opaque; sent back with the code. Expires after 5 minutes. */
    session: z.string(),
    user_id: z.string(),
    /** With MFA_SETUP: the authenticator's secret in base32, and the otpauth address of the QR code. */
    secret: z.string().optional(),
    otpauth_uri: z.string().optional(),
  }),
])
export type AuthReply = z.infer<typeof AuthReply>

export const signIn = endpoint({
  method: 'POST',
  path: '/auth',
  summary: 'Sign in by e-mail and password',
  tag: 'Authentication',
  body: z.object({ step: z.literal('SIGN_IN').optional(), email: signInEmail, password: typedPassword }),
  answer: AuthReply,
  needs: anybody,
})

export const answerChallenge = endpoint({
  method: 'POST',
  path: '/{userId}/mfa',
  summary: 'Answer a two-factor challenge',
  tag: 'Authentication',
  params: z.object({ userId: z.uuid() }),
  body: z.object({
    step: z.enum(['VERIFY_SOFTWARE_TOKEN', 'SOFTWARE_TOKEN_MFA']),
    session: z.string().min(1).max(200),
    code: sixDigits,
  }),
  answer: AuthReply,
  needs: anybody,
})

const call = { tag: 'Authentication', needs: anybody, extension: true, method: 'POST' } as const

export const answerByRecoveryCode = endpoint({
  ...call,
  path: '/{userId}/recovery-code',
  summary: 'Answer a two-factor challenge with a recovery code, which is good once; may go on to set up a new authenticator',
  params: z.object({ userId: z.uuid() }),
  body: z.object({
    session: z.string().min(1).max(200),
    recovery_code: recoveryCode,
    /** Response to an MFA_SETUP challenge: the new authenticator replaces the current one once its first code is correct. */
    new_authenticator: z.boolean().default(false),
  }),
  answer: AuthReply,
})

export const forgotPassword = endpoint({
  ...call,
  path: '/auth/forgot-password',
  summary: 'Send a reset code; answers the same whether or not the e-mail is known',
  body: z.object({ email: signInEmail }),
  answer: z.object({}),
  status: 202,
})

export const verifyResetCode = endpoint({
  ...call,
  path: '/auth/forgot-password/verify',
  summary: 'Check a reset code without using it up',
  body: z.object({ email: signInEmail, code: sixDigits }),
  answer: z.object({}),
})

export const confirmNewPassword = endpoint({
  ...call,
  path: '/auth/forgot-password/confirm',
  summary: 'Set a new password by reset code; ends all sessions and does not sign in',
  body: z.object({ email: signInEmail, code: sixDigits, password: newPassword }),
  answer: z.object({}),
})

/** The token after the hash of a mailed link. */
export const linkToken = z.string().min(20).max(200)

export const checkInvitation = endpoint({
  ...call,
  path: '/auth/invitation/check',
  summary: 'Whether a set-up link is still good, and for whom; does not use it up',
  body: z.object({ token: linkToken }),
  answer: z.object({ email: z.string() }),
})

export const acceptInvitation = endpoint({
  ...call,
  path: '/auth/invitation',
  summary: 'Choose the first password by a set-up link that is good once',
  body: z.object({ token: linkToken, password: newPassword }),
  answer: z.object({ email: z.string() }),
})

export const requestDeviceLink = endpoint({
  ...call,
  path: '/auth/device-link',
  summary: 'Mail a link to sign in on another device; answers the same whether or not the e-mail is known',
  body: z.object({ email: signInEmail }),
  answer: z.object({}),
  status: 202,
})

export const openDeviceLink = endpoint({
  ...call,
  path: '/auth/device-link/open',
  summary: 'Use a mailed link: this browser may sign in for half an hour, whatever others tried; signs nobody in',
  body: z.object({ token: linkToken }),
  answer: z.object({ email: z.string(), device: z.string() }),
})

/** Only with the demo seed: accounts and their next code, for the sign-in screen. */
export const getDemoAccounts = endpoint({
  method: 'GET',
  path: '/demo/accounts',
  summary: 'Demo accounts with their next unused code; not there without the demo seed',
  tag: 'Demo',
  answer: z.object({
    accounts: z.array(
      z.object({
        email: z.string(),
        name: z.string(),
        role: z.string(),
        password: z.string(),
        /** Null until an authenticator is set up. */
        code: z.string().nullable(),
        /** Seconds for which the code is valid. */
        seconds: z.int(),
        /** Seconds until the code is accepted: 0 except after several sign-ins within a minute. */
        wait: z.int(),
      }),
    ),
    /** Mails that would have been sent, newest first. */
    outbox: z.array(z.object({ to: z.string(), subject: z.string(), text: z.string(), at: z.iso.datetime() })),
  }),
  needs: anybody,
  extension: true,
  activity: false,
})
