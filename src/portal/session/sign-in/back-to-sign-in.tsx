import { setStage } from '#portal/session/sign-in-state.ts'

/** Leaves a step of the sign-in; the e-mail stays filled in. */
export function BackToSignIn({ email }: { email: string }) {
  return (
    <button
      type="button"
      className="btn btn-quiet justify-self-start"
      onClick={() => setStage({ step: 'SIGN_IN', email, note: null })}
    >
      Back to sign in
    </button>
  )
}
