import { useAtomValue } from 'jotai'
import { ChallengeForm } from '#portal/shell/sign-in/challenge-form.tsx'
import { AskLink, DeviceLink, LinkSent } from '#portal/shell/sign-in/device-link.tsx'
import { ForgotCode, ForgotEmail, ForgotPassword } from '#portal/shell/sign-in/forgot-password.tsx'
import { PasswordForm } from '#portal/shell/sign-in/password-form.tsx'
import { SetUpForm } from '#portal/shell/sign-in/set-up-form.tsx'
import { Welcome } from '#portal/shell/sign-in/welcome.tsx'
import { locationAtom } from '#portal/state/location.ts'
import { stageAtom } from '#portal/state/sign-in.ts'

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
