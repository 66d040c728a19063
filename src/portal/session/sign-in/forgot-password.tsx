import { z } from 'zod'
import { signInEmail } from '#contract/authentication.ts'
import { BackToSignIn } from '#portal/session/sign-in/back-to-sign-in.tsx'
import { CodeForm } from '#portal/session/sign-in/code-form.tsx'
import { DemoMail } from '#portal/session/sign-in/demo-mail.tsx'
import { Door } from '#portal/session/sign-in/door.tsx'
import { GoButton } from '#portal/session/sign-in/go-button.tsx'
import { NewPassword } from '#portal/session/sign-in/new-password.tsx'
import { Problem } from '#portal/session/sign-in/problem.tsx'
import { TextField } from '#portal/session/sign-in/text-field.tsx'
import { useSubmit } from '#portal/session/sign-in/use-submit.ts'
import { askReset, checkReset, confirmReset, setStage } from '#portal/session/sign-in-state.ts'

const Asked = z.object({ email: signInEmail })

/** Step 1 asks for the e-mail (SCR-002). */
export function ForgotEmail({ email }: { email: string }) {
  const form = useSubmit(Asked, { email }, (values) => askReset(values.email), 'email')
  return (
    <Door title="Forgot password" text="We send a code to your e-mail address.">
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          autoFocus
          error={form.message('email')}
          {...form.register('email')}
        />
        <Problem sentence={form.problem} />
        <GoButton busy={form.busy}>Send code</GoButton>
      </form>
      <BackToSignIn email={email} />
    </Door>
  )
}

/** Step 2 asks for the code (SCR-003). */
export function ForgotCode({ email }: { email: string }) {
  return (
    <Door title="Enter the code" text={<>If {email} has an account, a code is on its way. It is good for 10 minutes.</>}>
      <CodeForm label="Code from the e-mail" send={checkReset} />
      <button
        type="button"
        className="btn btn-quiet justify-self-start"
        onClick={() => setStage({ step: 'FORGOT_EMAIL', email })}
      >
        Send another code
      </button>
      <BackToSignIn email={email} />
      <DemoMail email={email} />
    </Door>
  )
}

/** Step 3 asks for the new password, then leads to the sign-in form (SCR-004). */
export function ForgotPassword({ email }: { email: string }) {
  return (
    <Door title="Choose a new password" text={<>For {email}. All your sessions end.</>}>
      <NewPassword email={email} send={confirmReset} />
    </Door>
  )
}
