import { type ReactNode, useRef, useState } from 'react'
import { sixDigits } from '#contract/authentication.ts'
import { GoButton } from '#portal/session/sign-in/go-button.tsx'
import { SixBoxes } from '#portal/session/sign-in/six-boxes.tsx'

/** Milliseconds after the sixth digit in which an Enter that is pressed by habit does nothing. */
const habit = 1_500

let taken: AbortController | null = null

/** Takes the Enter that follows six digits: what stands there by then is not what it was meant for. */
function takeNextEnter(): void {
  const until = performance.now() + habit
  taken?.abort()
  const mine = new AbortController()
  taken = mine
  const take = (event: KeyboardEvent) => {
    mine.abort()
    if (event.key !== 'Enter' || performance.now() > until) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('keydown', take, { capture: true, signal: mine.signal })
}

/** Asks for six digits, and sends them with the sixth (AUTH-015, AUTH-016); what the API says of them stands below the boxes. */
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
  const form = useRef<HTMLFormElement>(null)
  const submit = async (typed: string) => {
    if (busy) return
    const judged = sixDigits.safeParse(typed)
    if (!judged.success) return setProblem(judged.error.issues[0]?.message ?? null)
    setBusy(true)
    const sentence = await send(judged.data)
    setBusy(false)
    setProblem(sentence)
    if (!sentence) return
    setCode('')
    form.current?.querySelector('input')?.focus()
  }
  const type = (typed: string) => {
    setCode(typed)
    if (typed.length < 6 || typed === code) return
    takeNextEnter()
    void submit(typed)
  }
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        void submit(code)
      }}
      noValidate
      className="grid gap-4"
    >
      <SixBoxes label={label} value={code} onChange={type} error={problem ?? undefined} autoFocus />
      <GoButton busy={busy}>Continue</GoButton>
      {children}
    </form>
  )
}
