import { useEffect, useRef, useState } from 'react'
import { BackToSignIn } from '#portal/session/sign-in/back-to-sign-in.tsx'
import { DemoMail } from '#portal/session/sign-in/demo-mail.tsx'
import { Door } from '#portal/session/sign-in/door.tsx'
import { GoButton } from '#portal/session/sign-in/go-button.tsx'
import { MailedLink } from '#portal/session/sign-in/mailed-link.tsx'
import { Problem } from '#portal/session/sign-in/problem.tsx'
import { askLink, openLink } from '#portal/session/sign-in-state.ts'

/** A form with one focused button; errors are shown above it. */
function OneButton({ send, children }: { send: () => Promise<string | null>; children: string }) {
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('button')?.focus(), [])
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setProblem(await send())
    setBusy(false)
  }
  return (
    <form ref={form} onSubmit={submit} className="grid gap-4">
      <Problem sentence={problem} />
      <GoButton busy={busy}>{children}</GoButton>
    </form>
  )
}

/** Somebody is guessing at this account: a link by e-mail lets its owner sign in anyway. */
export function AskLink({ email, note }: { email: string; note: string }) {
  return (
    <Door title="Confirm by e-mail" text={note}>
      <OneButton send={() => askLink(email)}>Send link</OneButton>
      <BackToSignIn email={email} />
    </Door>
  )
}

/** Says that the link was sent, if there is such an account. */
export function LinkSent({ email }: { email: string }) {
  return (
    <Door
      title="Open the link"
      text={<>If {email} has an account, a link is on its way. Open it in this browser. It is good for an hour.</>}
    >
      <BackToSignIn email={email} />
      <DemoMail email={email} />
    </Door>
  )
}

/** The page of such a link; only the button uses it up, so that link scanners in mail do not. */
export function DeviceLink() {
  return (
    <MailedLink
      title="Sign in on this device"
      text="Continue here, then sign in with your password and a code as always."
      send={openLink}
    >
      {(send) => <OneButton send={() => send('')}>Continue</OneButton>}
    </MailedLink>
  )
}
