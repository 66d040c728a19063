import { useAtomValue } from 'jotai'
import { useLayoutEffect } from 'react'
import { ChallengeForm } from '#portal/session/sign-in/challenge-form.tsx'
import { AskLink, DeviceLink, LinkSent } from '#portal/session/sign-in/device-link.tsx'
import { ForgotCode, ForgotEmail, ForgotPassword } from '#portal/session/sign-in/forgot-password.tsx'
import { PasswordForm } from '#portal/session/sign-in/password-form.tsx'
import { RecoveryCodes } from '#portal/session/sign-in/recovery-codes.tsx'
import { RecoveryForm } from '#portal/session/sign-in/recovery-form.tsx'
import { swallowRunOn } from '#portal/session/sign-in/run-on.ts'
import { SetUpForm } from '#portal/session/sign-in/set-up-form.tsx'
import { Welcome } from '#portal/session/sign-in/welcome.tsx'
import { locationAtom } from '#portal/platform/location.ts'
import { stageAtom } from '#portal/session/sign-in-state.ts'

/**
 * Everything before the workspace: the current step of the sign-in. The address is kept. `was` is the e-mail of a session that
 * ended in this page, which is filled in.
 */
export default function SignIn({ was }: { was: string }) {
  useLayoutEffect(() => (was ? swallowRunOn() : undefined), [was])
  const stage = useAtomValue(stageAtom)
  const { pathname } = useAtomValue(locationAtom)
  if (pathname === '/welcome') return <Welcome />
  if (pathname === '/device') return <DeviceLink />
  switch (stage.step) {
    case 'SIGN_IN':
      return <PasswordForm key={stage.email} {...stage} email={stage.email || was} />
    case 'MFA_SETUP':
      return <SetUpForm {...stage} />
    case 'VERIFY_SOFTWARE_TOKEN':
    case 'SOFTWARE_TOKEN_MFA':
      return <ChallengeForm stage={stage} />
    case 'RECOVERY':
      return <RecoveryForm email={stage.email} />
    case 'RECOVERY_CODES':
      return <RecoveryCodes {...stage} />
    case 'LINK':
      return <AskLink {...stage} />
    case 'LINK_SENT':
      return <LinkSent email={stage.email} />
    case 'FORGOT_EMAIL':
      return <ForgotEmail email={stage.email} />
    case 'FORGOT_CODE':
      return <ForgotCode email={stage.email} />
    case 'FORGOT_PASSWORD':
      return <ForgotPassword email={stage.email} />
  }
}
