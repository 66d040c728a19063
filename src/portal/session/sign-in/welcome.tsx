import { MailedLink } from '#portal/session/sign-in/mailed-link.tsx'
import { NewPassword } from '#portal/session/sign-in/new-password.tsx'
import { acceptWelcome, checkWelcome } from '#portal/session/sign-in-state.ts'

/** The page of an invitation: sets the first password. */
export function Welcome() {
  return (
    <MailedLink title="Welcome" text="Choose the password that you will sign in with." check={checkWelcome} send={acceptWelcome}>
      {(send, email) => <NewPassword email={email} send={send} />}
    </MailedLink>
  )
}
