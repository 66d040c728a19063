import type { Generated, Selectable } from 'kysely'
import type { z } from 'zod'
import type { LinkedUser } from '#contract/employees.ts'
import type { Tx } from '#server/tables/database.ts'

/** The table `users`: the people who use the service, each linked to at most one employee. */
export interface UserTable {
  id: Generated<number>
  brand: string
  first_name: string
  last_name: string
  email: string
  phone_number: string | null
  status: string
  kyc_status: string | null
  force_password_change: Generated<boolean>
  last_sign_in_at: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
  updated_by: string | null
  version: Generated<number>
}

declare module '#server/tables/database.ts' {
  interface Database {
    users: UserTable
  }
}

export type UserRow = Selectable<UserTable>

/** A user as the wire tells it. */
export const toLinkedUser = (row: UserRow): z.infer<typeof LinkedUser> => ({
  id: row.id,
  email: row.email,
  phone_number: row.phone_number,
  status: row.status,
  kyc_status: row.kyc_status,
  force_password_change: row.force_password_change,
  last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null,
  version: row.version,
})

/** Requires a new password at the next sign-in, or no longer. */
export const saveForcePasswordChange = (tx: Tx, id: number, force: boolean, by: string, now: Date): Promise<UserRow> =>
  tx
    .updateTable('users')
    .set((set) => ({ force_password_change: force, updated_at: now, updated_by: by, version: set('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
