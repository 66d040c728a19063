import { useState } from 'react'
import { BackToSignIn } from '#portal/session/sign-in/back-to-sign-in.tsx'
import { CodeForm } from '#portal/session/sign-in/code-form.tsx'
import { Door } from '#portal/session/sign-in/door.tsx'
import { copyText } from '#portal/platform/clipboard.ts'
import { submitCode } from '#portal/session/sign-in-state.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { later, Part } from '#portal/ui/later.tsx'

// Only the first sign-in needs it.
const qrCode = later(async () => (await import('#portal/session/sign-in/qr-code.tsx')).QrCode)

/** MFA_SETUP: the authenticator's secret as a QR code and as text; the first code proves that it was set up (SCR-005). */
export function SetUpForm({ email, secret, uri }: { email: string; secret: string; uri: string }) {
  const [copied, setCopied] = useState(false)
  const copy = () => void copyText(secret).then(setCopied)
  return (
    <Door title="Set up your authenticator" text={<>Scan this with an authenticator app, for {email}.</>}>
      <Part
        of={qrCode}
        props={{ text: uri, label: 'QR code with the secret of your authenticator' }}
        waiting={<div className="size-44 justify-self-center" />}
      />
      <div>
        <p className="text-muted">Or type the secret:</p>
        <div className="flex items-start justify-between gap-2">
          <code className="font-sans font-medium tabular-nums break-words">{secret.match(/.{1,4}/g)?.join(' ')}</code>
          <button type="button" className="tool shrink-0" onClick={copy}>
            <Icon name={copied ? 'check' : 'copy'} />
            {copied ? 'Copied' : 'Copy'}
          </button>
        </div>
      </div>
      <p>Then enter the code that the app shows.</p>
      <CodeForm label="First code from your authenticator app" send={submitCode} />
      <BackToSignIn email={email} />
    </Door>
  )
}
