import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { z } from 'zod'
import { forgotPassword, signInEmail, typedPassword } from '#contract/authentication.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { Door } from '#portal/session/sign-in/door.tsx'
import { DemoAccounts } from '#portal/session/sign-in/demo-accounts.tsx'
import { GoButton } from '#portal/session/sign-in/go-button.tsx'
import { Problem } from '#portal/session/sign-in/problem.tsx'
import { TextField } from '#portal/session/sign-in/text-field.tsx'
import { useSubmit } from '#portal/session/sign-in/use-submit.ts'
import { endedAtom } from '#portal/api/session.ts'
import { setStage, submitPassword } from '#portal/session/sign-in-state.ts'

const Credentials = z.object({ email: signInEmail, password: typedPassword })

/** SIGN_IN: e-mail and password (SCR-001). */
export function PasswordForm({ email, note }: { email: string; note: string | null }) {
  const ended = useAtomValue(endedAtom)
  const supports = useAtomValue(capabilitiesAtom)
  const [shown, setShown] = useState(false)
  const form = useSubmit(
    Credentials,
    { email, password: '' },
    (values) => submitPassword(values.email, values.password),
    'password',
  )
  const start = (picked: string, password: string) => {
    form.setValue('email', picked)
    form.setValue('password', password)
    void form.submit(new Event('submit') as never)
  }
  return (
    <Door title="Sign in">
      {(note ?? ended) && (
        <div className="rounded-[7px] bg-wait-wash px-3 py-2" role="status">
          {note ?? ended}
        </div>
      )}
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          autoFocus={!email}
          spellCheck={false}
          error={form.message('email')}
          {...form.register('email')}
        />
        <TextField
          label="Password"
          type={shown ? 'text' : 'password'}
          autoComplete="current-password"
          autoFocus={Boolean(email)}
          error={form.message('password')}
          aside={
            <button type="button" className="btn btn-quiet text-small" aria-pressed={shown} onClick={() => setShown(!shown)}>
              Show
            </button>
          }
          {...form.register('password')}
        />
        <Problem sentence={form.problem} />
        <GoButton busy={form.busy}>Continue</GoButton>
      </form>
      {supports(forgotPassword) && (
        <button
          type="button"
          className="btn btn-quiet justify-self-start"
          onClick={() => setStage({ step: 'FORGOT_EMAIL', email: form.getValues('email') })}
        >
          Forgot password?
        </button>
      )}
      <DemoAccounts onPick={start} />
    </Door>
  )
}
