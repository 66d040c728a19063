import { encryptTo } from '#server/documents/encryption.ts'
import { deductionCsv, fileOf } from '#server/documents/deduction-file.ts'
import { Refused } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import type { DeductionRow } from '#server/tables/deductions.ts'
import { encryptionKeyOf } from '#server/tables/encryption-keys.ts'

/**
 * The EWA file of a deduction in its delivered form: encrypted to the key of its organization, if there is one. Refused after the
 * key has expired.
 */
export async function ewaFile(
  tx: Tx,
  deduction: DeductionRow,
  now: Date,
): Promise<{ name: string; type: string; content: string | Uint8Array<ArrayBuffer> }> {
  const file = await fileOf(tx, deduction)
  const csv = deductionCsv(file)
  const key = await goodKeyOf(tx, deduction, now)
  const name = encryptedName(file.name, key)
  if (!key) return { name, type: 'text/csv', content: csv }
  return { name, type: 'application/pgp-encrypted', content: await encryptTo(key.armored, csv) }
}

/** The name of the delivered file. */
export const encryptedName = (name: string, key: object | null): string => (key ? `${name}.pgp` : name)

/** The key that encrypts the file of a deduction; null if its organization has none. Throws 409 after it has expired. */
export async function goodKeyOf(tx: Tx, { organization_id }: Pick<DeductionRow, 'organization_id'>, now: Date) {
  const key = await encryptionKeyOf(tx, organization_id)
  if (key?.expires_at && key.expires_at <= now)
    throw new Refused(409, 'key-expired', 'The encryption key of the organization has expired. Set a new one first.')
  return key
}
