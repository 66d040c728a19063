import { type Generated, type GeneratedAlways, type RawBuilder, type Selectable, sql } from 'kysely'
import { LinkedUser } from '#contract/employees.ts'
import type { User } from '#contract/users.ts'
import { type Flow, restrictedStatus } from '#domain/employee.ts'
import type { DocumentType, UserFacts } from '#domain/user.ts'
import { openTo } from '#server/access/scope.ts'
import { prepared } from '#server/postgres/prepared.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Stamped, Tx } from '#server/tables/database.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import { selectAll } from '#server/postgres/select.ts'

/** The table `users`: the people who use the service, each linked to at most one employee. */
export interface UserTable extends Stamped {
  brand: string
  first_name: string
  last_name: string
  email: string
  phone_number: string | null
  status: string
  kyc_status: string | null
  force_password_change: Generated<boolean>
  last_sign_in_at: Date | null
  updated_by: string | null
  /** The employer of the linked employee; maintained by the database. */
  employer_id: GeneratedAlways<number | null>
  pending_email: Generated<string | null>
  status_before_email: Generated<string | null>
  email_token_hash: Generated<string | null>
  email_token_until: Generated<Date | null>
}

declare module '#server/tables/database.ts' {
  interface Database {
    users: UserTable
  }
}

/** A user as read together with an employee. */
export interface UserRow
  extends Omit<
    Selectable<UserTable>,
    'updated_at' | 'created_at' | 'updated_by' | 'employer_id' | 'status_before_email' | 'email_token_hash' | 'email_token_until'
  > {
  employee_id: number | null
  kyc_id: number | null
  kyc_reason: string | null
  document_types: DocumentType[]
}

/** The columns of a user `u` read with an employee, without the employee's id. */
export const userColumns = [
  'id',
  'brand',
  'first_name',
  'last_name',
  'email',
  'pending_email',
  'phone_number',
  'status',
  'kyc_status',
  'force_password_change',
  'last_sign_in_at',
  'version',
] as const satisfies readonly (keyof UserRow)[]

/** The columns of the identity check of a user `u`, by their name in the result. */
export const ofIdentityCheck: Readonly<Record<string, RawBuilder<unknown>>> = {
  kyc_id: sql`identity_check.id`,
  kyc_reason: sql`identity_check.reason`,
  document_types: sql`coalesce(identity_check.document_types, '{}')`,
}
export const joinIdentityCheck = sql`left join identity_checks identity_check on identity_check.user_id = u.id`

/** A user as returned by the API with an employee. */
export const toLinkedUser = (row: UserRow): LinkedUser => answerOf(LinkedUser, row)

/** A user read on its own, with the linked employee. */
export interface WholeUser extends UserRow, UserFacts {
  created_at: Date
  updated_at: Date
  status_before_email: string | null
  employee_name: string | null
  employee_status: string | null
  flow: Flow | null
  employer_id: number | null
  employer_name: string | null
}

/** Reads users with their employees; `chosen` selects ids and a sort key, as columns `id` and `key`. */
export async function readUsers(
  tx: Tx,
  chosen: RawBuilder<unknown>,
  order: RawBuilder<unknown> = sql`chosen.id`,
): Promise<(WholeUser & { key: unknown })[]> {
  const own = [...userColumns, 'created_at', 'updated_at', 'status_before_email', 'employer_id']
  return selectAll<WholeUser & { key: unknown }>(tx)`
    select chosen.key, ${sql.join(own.map((column) => sql.ref(`u.${column}`)))},
      ${sql.join(Object.entries(ofIdentityCheck).map(([name, value]) => sql`${value} as ${sql.ref(name)}`))}, employee.id as employee_id,
      employee.first_name || ' ' || employee.last_name as employee_name, employee.status as employee_status, employee.flow,
      employer.internal_name as employer_name
    from (${chosen}) chosen join users u on u.id = chosen.id
    ${joinIdentityCheck}
    left join employees employee on employee.user_id = u.id
    left join employers employer on employer.id = employee.employer_id
    order by ${order}`
}

/**
 * A user inside the person's access: of an employee who is open to them; without an employee, for admins only
 * (docs/rules/employees.md).
 */
const open = (actor: Actor, id: number) => sql`users e where e.id = ${id} and ${openTo(actor, sql.ref('e.employer_id'))}`

/** One user, if the person may see it. */
export async function oneUser(tx: Tx, actor: Actor, id: number): Promise<WholeUser | null> {
  const [user] = await readUsers(tx, sql`${prepared} select e.id, null as key from ${open(actor, id)}`)
  return user ?? null
}

/** One user inside the person's access, locked until the transaction ends and read after the lock. */
export async function lockUser(tx: Tx, actor: Actor, id: number): Promise<WholeUser | null> {
  const { rows } = await sql`${prepared} select 1 from ${open(actor, id)} for update of e`.execute(tx)
  return rows.length === 0 ? null : oneUser(tx, actor, id)
}

type Changes = Partial<
  Pick<
    Selectable<UserTable>,
    | 'first_name'
    | 'last_name'
    | 'email'
    | 'pending_email'
    | 'status_before_email'
    | 'email_token_hash'
    | 'email_token_until'
    | 'phone_number'
    | 'status'
    | 'kyc_status'
    | 'force_password_change'
  >
>

/** Changes a locked user and increments the version; `by` is the id of the person, null for the user. */
export async function saveUser<Row extends { id: number }>(tx: Tx, user: Row, changes: Changes, by: string | null, now: Date) {
  const saved = await tx
    .updateTable('users')
    .set((set) => ({ ...changes, updated_at: now, updated_by: by, version: set('version', '+', 1) }))
    .where('id', '=', user.id)
    .returning([...userColumns, 'updated_at', 'status_before_email'])
    .executeTakeFirstOrThrow()
  return { ...user, ...saved }
}

/** A user as returned by the API; the status of an employee who was paid off-cycle only for people who may see that. */
export const toUser = (row: WholeUser, seesRestricted: boolean): User => ({
  ...toLinkedUser(row),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  employee:
    row.employee_id === null
      ? null
      : {
          id: row.employee_id,
          name: row.employee_name as string,
          status: row.employee_status === restrictedStatus && !seesRestricted ? null : row.employee_status,
          flow: row.flow as Flow,
          employer: { id: row.employer_id as number, name: row.employer_name as string },
        },
})
