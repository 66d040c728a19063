import { type ReactNode, useState } from 'react'
import { sixDigits } from '#contract/authentication.ts'
import { GoButton } from '#portal/session/sign-in/go-button.tsx'
import { SixBoxes } from '#portal/session/sign-in/six-boxes.tsx'

/** Asks for six digits (AUTH-015, AUTH-016); what the API says of them stands below the boxes. */
export function CodeForm({
  label,
  send,
  children,
}: {
  label: string
  send: (code: string) => Promise<string | null>
  children?: ReactNode
}) {
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    if (busy) return
    const judged = sixDigits.safeParse(code)
    if (!judged.success) return setProblem(judged.error.issues[0]?.message ?? null)
    setBusy(true)
    const sentence = await send(judged.data)
    setBusy(false)
    setProblem(sentence)
    if (sentence) setCode('')
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <SixBoxes label={label} value={code} onChange={setCode} error={problem ?? undefined} autoFocus />
      <GoButton busy={busy}>Continue</GoButton>
      {children}
    </form>
  )
}
