import { sql } from 'kysely'
import type { Caller, Tx } from '#server/route.ts'
import { eventRecorded } from '#server/tables/audit.ts'

/** What the audit keeps of the door, in the words of the history. */
const words = {
  'person.sign-in': 'Signed in',
  'person.fail-sign-in': 'Failed sign-in',
  'person.lock-out': 'Locked out',
  'person.sign-out': 'Signed out',
  'person.set-up-authenticator': 'Authenticator set up',
  'person.choose-password': 'Password chosen',
  'person.change-password': 'Password changed',
} as const

/** Somebody at the door; an e-mail that nobody has is kept as it was typed. */
export type AtTheDoor = { id: string; name: string } | { email: string }

/** Writes what happened at the door, from which network address; in the transaction of the change where there is one. */
export async function recordSignInEvent(
  db: Pick<Tx, 'getExecutor'>,
  intent: keyof typeof words,
  who: AtTheDoor,
  caller: Pick<Caller, 'address'>,
  more: Record<string, unknown> = {},
): Promise<void> {
  const known = 'id' in who
  const actor = known ? who : { id: 'nobody', name: 'Nobody known' }
  await sql`${eventRecorded({
    actor,
    intent,
    command: null,
    entity: 'person',
    entityId: actor.id,
    category: 'security',
    status: words[intent],
    text: null,
    before: null,
    after: { address: caller.address, ...(known ? {} : { email: who.email }), ...more },
    version: 0,
    idempotencyKey: null,
  })}`.execute(db)
}
