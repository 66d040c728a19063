import { endSessionsOf } from '#server/auth/session.ts'
import type { Tx } from '#server/tables/database.ts'

/** Ends everything that a person could still use to sign in or to choose a password. */
export async function lockOut(
  tx: Tx,
  id: string,
  reason: 'PASSWORD_CHANGED' | 'PERSON_REMOVED' | 'AUTHENTICATOR_RESET',
  now: Date,
): Promise<void> {
  await endSessionsOf(tx, id, reason, now)
  await tx.deleteFrom('invitations').where('person_id', '=', id).where('used_at', 'is', null).execute()
  await tx.updateTable('reset_codes').set({ used_at: now }).where('person_id', '=', id).where('used_at', 'is', null).execute()
  await tx.updateTable('device_links').set({ used_at: now }).where('person_id', '=', id).where('used_at', 'is', null).execute()
  await tx.deleteFrom('known_devices').where('person_id', '=', id).execute()
}
