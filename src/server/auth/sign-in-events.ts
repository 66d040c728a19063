import { sql } from 'kysely'
import type { Caller } from '#server/auth/caller.ts'
import type { Tx } from '#server/tables/database.ts'
import { insertEventStatement } from '#server/tables/audit.ts'

/** Titles of sign-in events in the history; failures are counted in `failures.ts`. */
const words = {
  'person.sign-in': 'Signed in',
  'person.sign-out': 'Signed out',
  'person.set-up-authenticator': 'Authenticator set up',
  'person.use-recovery-code': 'Signed in with a recovery code',
  'person.choose-password': 'Password chosen',
  'person.change-password': 'Password changed',
} as const

/** Records a sign-in event with its network address, in the transaction of the change. */
export async function recordSignInEvent(
  db: Pick<Tx, 'getExecutor'>,
  intent: keyof typeof words,
  actor: { id: string; name: string },
  caller: Pick<Caller, 'address'>,
): Promise<void> {
  await sql`${insertEventStatement({
    actor,
    intent,
    command: null,
    entity: 'person',
    entityId: actor.id,
    category: 'security',
    status: words[intent],
    text: null,
    before: null,
    after: { address: caller.address },
    version: 0,
    idempotencyKey: null,
  })}`.execute(db)
}
