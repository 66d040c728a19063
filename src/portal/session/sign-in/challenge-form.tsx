import { useAtomValue } from 'jotai'
import { answerByRecoveryCode } from '#contract/authentication.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { BackToSignIn } from '#portal/session/sign-in/back-to-sign-in.tsx'
import { CodeForm } from '#portal/session/sign-in/code-form.tsx'
import { DemoCode } from '#portal/session/sign-in/demo-code.tsx'
import { Door } from '#portal/session/sign-in/door.tsx'
import { setStage, type SignInStage, submitCode } from '#portal/session/sign-in-state.ts'

type Stage = Extract<SignInStage, { step: 'VERIFY_SOFTWARE_TOKEN' | 'SOFTWARE_TOKEN_MFA' }>

/** SOFTWARE_TOKEN_MFA, and VERIFY_SOFTWARE_TOKEN if it is requested directly: the authenticator code (SCR-006). */
export function ChallengeForm({ stage }: { stage: Stage }) {
  const supports = useAtomValue(capabilitiesAtom)
  const { email, step } = stage
  return (
    <Door title="Enter the code" text={<>From your authenticator app, for {email}.</>}>
      <CodeForm label="Code from your authenticator app" send={submitCode} />
      {step === 'SOFTWARE_TOKEN_MFA' && supports(answerByRecoveryCode) && (
        <button
          type="button"
          className="btn btn-quiet justify-self-start"
          onClick={() => setStage({ ...stage, step: 'RECOVERY' })}
        >
          Use a recovery code
        </button>
      )}
      <BackToSignIn email={email} />
      <DemoCode email={email} />
    </Door>
  )
}
