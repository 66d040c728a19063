import { useAtomValue } from 'jotai'
import { ChallengeForm } from '#portal/session/sign-in/challenge-form.tsx'
import { AskLink, DeviceLink, LinkSent } from '#portal/session/sign-in/device-link.tsx'
import { ForgotCode, ForgotEmail, ForgotPassword } from '#portal/session/sign-in/forgot-password.tsx'
import { PasswordForm } from '#portal/session/sign-in/password-form.tsx'
import { SetUpForm } from '#portal/session/sign-in/set-up-form.tsx'
import { Welcome } from '#portal/session/sign-in/welcome.tsx'
import { locationAtom } from '#portal/app/location.ts'
import { stageAtom } from '#portal/session/sign-in-state.ts'

/** Everything before the workspace: the step that the sign-in stands at. The address asked for stays as it is. */
export default function SignIn() {
  const stage = useAtomValue(stageAtom)
  const { pathname } = useAtomValue(locationAtom)
  if (pathname === '/welcome') return <Welcome />
  if (pathname === '/device') return <DeviceLink />
  switch (stage.step) {
    case 'SIGN_IN':
      return <PasswordForm key={stage.email} {...stage} />
    case 'MFA_SETUP':
      return <SetUpForm {...stage} />
    case 'VERIFY_SOFTWARE_TOKEN':
    case 'SOFTWARE_TOKEN_MFA':
      return <ChallengeForm email={stage.email} />
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
