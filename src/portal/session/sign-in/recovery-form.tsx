import { z } from 'zod'
import { recoveryCode } from '#contract/authentication.ts'
import { BackToSignIn } from '#portal/session/sign-in/back-to-sign-in.tsx'
import { Door } from '#portal/session/sign-in/door.tsx'
import { GoButton } from '#portal/session/sign-in/go-button.tsx'
import { Problem } from '#portal/session/sign-in/problem.tsx'
import { TextField } from '#portal/session/sign-in/text-field.tsx'
import { useSubmit } from '#portal/session/sign-in/use-submit.ts'
import { submitRecoveryCode } from '#portal/session/sign-in-state.ts'

const Recovery = z.object({ code: recoveryCode, replace: z.boolean() })

/** Asks for a recovery code, and whether to set up a new authenticator. */
export function RecoveryForm({ email }: { email: string }) {
  const form = useSubmit(Recovery, { code: '', replace: true }, ({ code, replace }) => submitRecoveryCode(code, replace), 'code')
  return (
    <Door title="Use a recovery code" text={<>One of the ten codes that you saved for {email}. Each works once.</>}>
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <TextField
          label="Recovery code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          error={form.message('code')}
          {...form.register('code')}
        />
        <label className="flex items-start gap-2">
          <input type="checkbox" className="mt-1" {...form.register('replace')} />
          Set up a new authenticator now. The present one stops working.
        </label>
        <Problem sentence={form.problem} />
        <GoButton busy={form.busy}>Continue</GoButton>
      </form>
      <p className="text-muted">No codes left? Ask an admin to reset your authenticator.</p>
      <BackToSignIn email={email} />
    </Door>
  )
}
