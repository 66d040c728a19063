import { randomBytes } from 'node:crypto'
import { groupRecoveryCode, recoveryAlphabet, recoveryCodeCount, recoveryCodeLength } from '#domain/recovery-code.ts'
import { digest } from '#server/auth/secret.ts'
import type { Tx } from '#server/tables/database.ts'

/** 256 is a multiple of 32, so that every character is equally likely. */
const randomRecoveryCode = (): string =>
  [...randomBytes(recoveryCodeLength)].map((byte) => recoveryAlphabet[byte % recoveryAlphabet.length]).join('')

const hashOf = (personId: string, code: string): string => digest('recovery code', personId, code)

/** Replaces the recovery codes of a person. Returns the new ones in display form; only their hashes are stored. */
export async function replaceRecoveryCodes(tx: Tx, personId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, randomRecoveryCode)
  await deleteRecoveryCodes(tx, personId)
  await tx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ person_id: personId, code_hash: hashOf(personId, code) })))
    .execute()
  return codes.map(groupRecoveryCode)
}

/** Consumes a code. Returns the number left; null if the person has no such code. */
export async function useRecoveryCode(tx: Tx, personId: string, code: string): Promise<number | null> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('person_id', '=', personId)
    .where('code_hash', '=', hashOf(personId, code))
    .executeTakeFirst()
  if (numDeletedRows === 0n) return null
  const { left } = await tx
    .selectFrom('recovery_codes')
    .select((select) => select.fn.countAll<number>().as('left'))
    .where('person_id', '=', personId)
    .executeTakeFirstOrThrow()
  return Number(left)
}

/** Deletes all recovery codes of a person. */
export const deleteRecoveryCodes = async (tx: Tx, personId: string): Promise<void> =>
  void (await tx.deleteFrom('recovery_codes').where('person_id', '=', personId).execute())
