import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { demoAtom, loadDemo } from '#portal/session/demo.ts'

/** Demo only: the latest e-mail to an address, since none is really sent. */
export function DemoMail({ email }: { email: string }) {
  const demo = useAtomValue(demoAtom)
  useEffect(() => {
    void loadDemo()
    const timer = setInterval(() => void loadDemo(), 3000)
    return () => clearInterval(timer)
  }, [])
  const mail = demo?.outbox.find((each) => each.to === email.toLowerCase())
  if (!mail) return null
  return (
    <p className="demo whitespace-pre-line">
      Demo: this mail would be sent. <b>{mail.subject}</b>
      {`\n${mail.text}`}
    </p>
  )
}
