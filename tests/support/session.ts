import { startSession } from '#server/auth/session.ts'
import { createPerson } from '#tests/support/people.ts'
import type { TestServer } from '#tests/support/server.ts'

export interface SignedIn {
  id: string
  name: string
  headers: Record<string, string>
}

/** A new person with exactly these permissions, and a real session without the sign-in. */
export async function personWith(
  server: TestServer,
  permissions: readonly number[],
  name = 'Robin Test',
  kind: 'ADMIN' | 'ACCOUNT_MANAGER' = 'ADMIN',
): Promise<SignedIn> {
  const person = await createPerson(server.db, { permissions, name, kind })
  const { token } = await server.db
    .transaction()
    .execute((tx) => startSession(tx, person.id, { address: '127.0.0.1', device: null }, server.services.auth, new Date()))
  return { id: person.id, name, headers: { ...server.application, authorization: `Bearer ${token}` } }
}
