import { type ReactNode, useState } from 'react'
import { Door } from '#portal/session/sign-in/door.tsx'
import { go } from '#portal/app/location.ts'

const tokenOf = (hash: string): string => new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? ''

/** The page of a mailed link, with the token after the hash, which no server log sees. What is sent leads to the start. */
export function MailedLink({
  title,
  text,
  send,
  children,
}: {
  title: string
  text: string
  send: (token: string, typed: string) => Promise<string | null>
  children: (send: (typed: string) => Promise<string | null>) => ReactNode
}) {
  const [token] = useState(() => tokenOf(location.hash))
  if (!token)
    return (
      <Door title="This link is not complete" text="Open the whole link of the mail, or ask for a new one.">
        <button type="button" className="btn" onClick={() => go('/', { replace: true })}>
          Go to sign in
        </button>
      </Door>
    )
  const sendOn = async (typed: string) => {
    const problem = await send(token, typed)
    if (problem === null) go('/', { replace: true })
    return problem
  }
  return (
    <Door title={title} text={text}>
      {children(sendOn)}
    </Door>
  )
}
