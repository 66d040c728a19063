import type { Generated, Selectable } from 'kysely'
import { Kyc } from '#contract/users.ts'
import type { DocumentType, KycStatus } from '#domain/user.ts'
import type { Tx } from '#server/tables/database.ts'
import { answerOf } from '#server/tables/answer-of.ts'

/** The table `identity_checks`, one for each user whose `kyc_status` is not null. */
export interface IdentityCheckTable {
  id: Generated<number>
  user_id: number
  document_types: Generated<DocumentType[]>
  submitted_at: Generated<Date>
  reviewed_at: Generated<Date | null>
  reviewed_by_name: Generated<string | null>
  reason: Generated<string | null>
}

/** The table `current_addresses`: the current addresses of users. */
export interface CurrentAddressTable {
  user_id: number
  line_1: string
  line_2: string | null
  city: string
  state: string
  postal_code: string
  since: string
}

declare module '#server/tables/database.ts' {
  interface Database {
    identity_checks: IdentityCheckTable
    current_addresses: CurrentAddressTable
  }
}

export type IdentityCheckRow = Selectable<IdentityCheckTable>

/** The identity check of a user; null where it has not started. */
export const identityCheckOf = async (tx: Tx, userId: number): Promise<IdentityCheckRow | null> =>
  (await tx.selectFrom('identity_checks').selectAll().where('user_id', '=', userId).executeTakeFirst()) ?? null

/** Changes the identity check of a locked user. */
export const saveIdentityCheck = async (
  tx: Tx,
  userId: number,
  changes: Partial<Omit<IdentityCheckRow, 'id' | 'user_id'>>,
): Promise<void> => void (await tx.updateTable('identity_checks').set(changes).where('user_id', '=', userId).execute())

/** An identity check as returned by the API; `status` is the user's. */
export const toKyc = (row: IdentityCheckRow, status: string | null): Kyc =>
  answerOf(Kyc, {
    ...row,
    status: status as KycStatus,
    reviewed_by: row.reviewed_by_name,
  })

/** The current address of a user, as returned by the API; null if unknown. */
export const currentAddressOf = async (tx: Tx, userId: number) =>
  (await tx
    .selectFrom('current_addresses')
    .select(['line_1', 'line_2', 'city', 'state', 'postal_code', 'since'])
    .where('user_id', '=', userId)
    .executeTakeFirst()) ?? null
