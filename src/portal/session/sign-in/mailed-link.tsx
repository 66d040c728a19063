import { type ReactNode, useEffect, useState } from 'react'
import { linkToken } from '#contract/authentication.ts'
import { Door } from '#portal/session/sign-in/door.tsx'
import { takeFocus } from '#portal/session/sign-in/take-focus.ts'
import { navigate } from '#portal/platform/location.ts'

/** Empty if the link is incomplete, as cut by a mail client. */
const tokenOf = (hash: string): string => linkToken.safeParse(new URLSearchParams(hash.replace(/^#/, '')).get('token')).data ?? ''

/** Result of checking a link before anything is sent: its addressee, or why it is no longer valid; null if unknown. */
type LinkCheck = { email: string } | { dead: string } | null

interface MailedLinkProps {
  title: string
  text: string
  check?: (token: string) => Promise<LinkCheck>
  send: (token: string, typed: string) => Promise<string | null>
  children: (send: (typed: string) => Promise<string | null>, email: string) => ReactNode
}

/** Shown for an invalid link: why, and a button to the sign-in. */
function NoLink({ title, text }: { title: string; text: string }) {
  return (
    <Door title={title} text={text}>
      <button type="button" ref={takeFocus} className="btn" onClick={() => navigate('/', { replace: true })}>
        Go to sign in
      </button>
    </Door>
  )
}

/** The page of a link from an e-mail, with the token in the hash, which no server log sees. Submitting leads to the start. */
export function MailedLink(props: MailedLinkProps) {
  const [token, setToken] = useState(() => tokenOf(location.hash))
  // Another link opened in the same tab differs only in the hash, so that the browser does not load the page again.
  useEffect(() => {
    const another = () => setToken(tokenOf(location.hash))
    addEventListener('hashchange', another)
    return () => removeEventListener('hashchange', another)
  }, [])
  return <OneLink key={token} token={token} {...props} />
}

function OneLink({ token, title, text, check, send, children }: MailedLinkProps & { token: string }) {
  const [found, setFound] = useState<LinkCheck>(null)
  useEffect(() => {
    if (token) void check?.(token).then(setFound)
  }, [check, token])
  if (!token) return <NoLink title="This link is not complete" text="Open the whole link of the mail, or ask for a new one." />
  if (found && 'dead' in found) return <NoLink title="This link no longer works" text={found.dead} />
  const sendOn = async (typed: string) => {
    const problem = await send(token, typed)
    if (problem === null) navigate('/', { replace: true })
    return problem
  }
  return (
    <Door title={title} text={found ? `${text} Your e-mail: ${found.email}.` : text}>
      {children(sendOn, found?.email ?? '')}
    </Door>
  )
}
