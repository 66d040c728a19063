import { useState } from 'react'
import { Door } from '#portal/shell/sign-in/door.tsx'
import { NewPassword } from '#portal/shell/sign-in/new-password.tsx'
import { go } from '#portal/state/location.ts'
import { acceptWelcome } from '#portal/state/sign-in.ts'

const tokenOf = (hash: string): string => new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? ''

/** The page of an invitation: the first password by the token after the hash, which no server log sees. */
export function Welcome() {
  const [token] = useState(() => tokenOf(location.hash))
  if (!token)
    return (
      <Door title="This link is not complete" text="Open the whole link of the invitation, or ask for a new one.">
        <button type="button" className="btn" onClick={() => go('/', { replace: true })}>
          Go to sign in
        </button>
      </Door>
    )
  const send = async (password: string) => {
    const problem = await acceptWelcome(token, password)
    if (problem === null) go('/', { replace: true })
    return problem
  }
  return (
    <Door title="Welcome" text="Choose the password that you will sign in with.">
      <NewPassword email="" send={send} />
    </Door>
  )
}
