import { useState } from 'react'
import { copyText } from '#portal/platform/clipboard.ts'
import { Door } from '#portal/session/sign-in/door.tsx'
import { takeFocus } from '#portal/session/sign-in/take-focus.ts'
import { GoButton } from '#portal/session/sign-in/go-button.tsx'
import { Problem } from '#portal/session/sign-in/problem.tsx'
import { leaveRecoveryCodes } from '#portal/session/sign-in-state.ts'
import { Icon } from '#portal/ui/icon.tsx'

/** The recovery codes of a new authenticator. They are shown only once, so the workspace opens when the user continues. */
export function RecoveryCodes({ email, codes }: { email: string; codes: readonly string[] }) {
  const [copied, setCopied] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const copy = () => void copyText(`Recovery codes of ${email} for Admin Portal\n\n${codes.join('\n')}\n`).then(setCopied)
  const leave = async (event: React.FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setProblem(await leaveRecoveryCodes())
    setBusy(false)
  }
  return (
    <Door
      title="Save your recovery codes"
      text="If you lose your phone, each of these codes signs you in once. They are not shown again: keep them where your phone is not."
    >
      <ul className="grid grid-cols-2 gap-x-4 gap-y-1 text-ink tabular-nums" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <form onSubmit={leave} className="grid gap-4">
        <button type="button" className="tool justify-self-start" ref={takeFocus} onClick={copy}>
          <Icon name={copied ? 'check' : 'copy'} />
          {copied ? 'Copied' : 'Copy all'}
        </button>
        <Problem sentence={problem} />
        <GoButton busy={busy}>I saved them</GoButton>
      </form>
    </Door>
  )
}
