import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { newPassword } from '#contract/authentication.ts'
import { passwordRules } from '#domain/password.ts'
import { GoButton } from '#portal/session/sign-in/go-button.tsx'
import { Problem } from '#portal/session/sign-in/problem.tsx'
import { TextField } from '#portal/session/sign-in/text-field.tsx'
import { useSubmit } from '#portal/session/sign-in/use-submit.ts'
import { Icon } from '#portal/ui/icon.tsx'

const Chosen = z.object({ password: newPassword })

/** Asks for a new password; the rules are ticked off while typing (AUTH-010 to AUTH-014). */
export function NewPassword({ email, send }: { email: string; send: (password: string) => Promise<string | null> }) {
  const form = useSubmit(Chosen, { password: '' }, ({ password }) => send(password), 'password')
  const typed = useWatch({ control: form.control, name: 'password' })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      {email && <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />}
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        autoFocus
        error={form.message('password')}
        {...form.register('password')}
      />
      <ul className="grid gap-1 text-muted" aria-label="Rules">
        {passwordRules.map((rule) => {
          const holds = rule.holds(typed)
          return (
            <li key={rule.message} className={`flex items-center gap-2 ${holds ? 'text-ink' : ''}`}>
              <Icon name={holds ? 'check' : 'close'} size={14} className={holds ? 'text-good' : 'text-faint'} />
              {rule.message}
              <span className="sr-only">{holds ? ': holds' : ': missing'}</span>
            </li>
          )
        })}
      </ul>
      <Problem sentence={form.problem} />
      <GoButton busy={form.busy}>Set password</GoButton>
    </form>
  )
}
