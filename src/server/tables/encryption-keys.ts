import { sql } from 'kysely'
import type { EncryptionKey } from '#domain/public-key.ts'
import type { Tx } from '#server/tables/database.ts'
import { selectOne } from '#server/postgres/select.ts'

/** Sets the key that encrypts the files of a locked organization, replacing any previous one. */
export async function saveEncryptionKey(tx: Tx, organizationId: number, key: EncryptionKey, now: Date): Promise<void> {
  await sql`
    insert into encryption_keys (organization_id, armored, fingerprint, user_ids, algorithm, created_at, expires_at, added_at)
    values (${organizationId}, ${key.armored}, ${key.fingerprint}, ${key.user_ids}, ${key.algorithm}, ${key.created_at},
      ${key.expires_at}, ${now})
    on conflict (organization_id) do update set armored = excluded.armored, fingerprint = excluded.fingerprint,
      user_ids = excluded.user_ids, algorithm = excluded.algorithm, created_at = excluded.created_at,
      expires_at = excluded.expires_at, added_at = excluded.added_at`.execute(tx)
}

/** Removes the key of a locked organization: its files are no longer encrypted. */
export async function deleteEncryptionKey(tx: Tx, organizationId: number): Promise<void> {
  await sql`delete from encryption_keys where organization_id = ${organizationId}`.execute(tx)
}

/** The key that encrypts the files of an organization; null if there is none. */
export async function encryptionKeyOf(
  tx: Tx,
  organizationId: number,
): Promise<{ armored: string; expires_at: Date | null } | null> {
  return selectOne<{ armored: string; expires_at: Date | null }>(tx)`
    select armored, expires_at from encryption_keys where organization_id = ${organizationId}`
}
