import { BackToSignIn } from '#portal/session/sign-in/back-to-sign-in.tsx'
import { CodeForm } from '#portal/session/sign-in/code-form.tsx'
import { DemoCode } from '#portal/session/sign-in/demo-code.tsx'
import { Door } from '#portal/session/sign-in/door.tsx'
import { submitCode } from '#portal/session/sign-in-state.ts'

/** SOFTWARE_TOKEN_MFA, and VERIFY_SOFTWARE_TOKEN when it comes by itself: the code of the authenticator (SCR-006). */
export function ChallengeForm({ email }: { email: string }) {
  return (
    <Door title="Enter the code" text={<>From your authenticator app, for {email}.</>}>
      <CodeForm label="Code from your authenticator app" send={submitCode} />
      <BackToSignIn email={email} />
      <DemoCode email={email} />
    </Door>
  )
}
