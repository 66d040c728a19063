import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { demoAtom, loadDemo } from '#portal/session/demo.ts'

const grouped = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`

/** Demo only: the current code of an account, and its remaining time. */
export function DemoCode({ email }: { email: string }) {
  const demo = useAtomValue(demoAtom)
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    void loadDemo()
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const account = demo?.accounts.find((each) => each.email === email.toLowerCase())
  const passed = demo ? Math.max(0, Math.floor((now - demo.at) / 1000)) : 0
  const left = account ? account.seconds - passed : 0
  const over = account?.code != null && left <= 0
  useEffect(() => {
    if (over) void loadDemo()
  }, [over])
  if (!account?.code) return null
  const wait = account.wait - passed
  return (
    <p className="demo">
      Demo: the code {wait > 0 ? `in ${wait} s` : 'now'} is <b className="tabular-nums">{grouped(account.code)}</b>, for{' '}
      {Math.max(0, left)} s more.
    </p>
  )
}
