import { type Generated, type GeneratedAlways, type RawBuilder, type Selectable, sql } from 'kysely'
import { type Balance, type Employee, employeeDetails } from '#contract/employees.ts'
import { restrictedStatus, whyNotUnpause } from '#domain/employee.ts'
import { type PermissionName, permissionId } from '#domain/permissions.ts'
import { openTo } from '#server/access/scope.ts'
import { existing } from '#server/http-error.ts'
import { prepared } from '#server/postgres/prepared.ts'
import { selectOne } from '#server/postgres/select.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Stamped, Tx } from '#server/tables/database.ts'
import { isRow, keyOf, type RowKey, type RowOrId } from '#server/tables/rows.ts'
import { type DetailColumns, visibleDetails } from '#server/tables/details.ts'
import { joinIdentityCheck, ofIdentityCheck, type UserRow, toLinkedUser, userColumns } from '#server/tables/users.ts'

/** The table `employees`; amounts in cents. */
export interface EmployeeTable extends DetailColumns<typeof employeeDetails>, Stamped {
  organization_id: number
  employer_id: number
  user_id: number | null
  first_name: string
  last_name: string
  employee_code: string
  secondary_tk_id: Generated<string | null>
  email: string | null
  phone_number: string | null
  status: string
  flow: 'PAYROLL' | 'CONSUMER'
  brand: string
  hire_date: string | null
  pay_type: string | null
  pay_frequency: string | null
  next_pay_date: string | null
  rate_amount: number | null
  status_before_pause: string | null
  paused_at: Date | null
  paused_by: string | null
  paused_by_name: string | null
  pause_reason: string | null
  pause_details: string | null
  unrecovered_amount: Generated<number>
  available_amount: Generated<number | null>
  employer_key: Generated<string>
  updated_by: string | null
  name_key: GeneratedAlways<string>
  first_key: GeneratedAlways<string>
  code_key: GeneratedAlways<string>
  tk_key: GeneratedAlways<string | null>
  email_key: GeneratedAlways<string | null>
  phone_digits: GeneratedAlways<string | null>
  hourly_amount: GeneratedAlways<number | null>
  search_text: GeneratedAlways<string>
}

declare module '#server/tables/database.ts' {
  interface Database {
    employees: EmployeeTable
  }
}

export type Include = 'employer' | 'user' | 'balance'

/** An employee with the requested parts of employer, user and balance. */
export interface EmployeeRow
  extends Omit<Selectable<EmployeeTable>, 'status' | 'search_text' | 'first_key' | 'employer_key' | 'secondary_tk_id'> {
  /** Null if masked for the reader. */
  status: string | null
  employer?: { name: string; code: string; status: string; organization_id: number; organization_name: string }
  user?: UserRow | null
  balance?: Balance | null
}

const own = sql`
  e.id, e.organization_id, e.employer_id, e.user_id, e.first_name, e.last_name, e.employee_code, e.email, e.phone_number, e.status, e.flow, e.brand, e.hire_date, e.pay_type, e.pay_frequency, e.next_pay_date, e.rate_amount, e.hourly_amount,
  e.status_before_pause, e.paused_at, e.paused_by, e.paused_by_name, e.pause_reason, e.pause_details, e.unrecovered_amount,
  e.created_at, e.updated_at, e.version, ${sql.join(Object.keys(employeeDetails).map((name) => sql.ref(`e.${name}`)))}`

/** The columns of a user `u` read with an employee, by their name in the result. */
const ofUser = { ...Object.fromEntries(userColumns.map((column) => [column, sql.ref(`u.${column}`)])), ...ofIdentityCheck }

/** Columns and joins of the parts that can be included. */
const included: Record<Include, { columns: RawBuilder<unknown>; join: RawBuilder<unknown> }> = {
  employer: {
    columns: sql`, employer.internal_name as employer_name, employer.external_code as employer_code, employer.status as employer_status,
      organization.name as organization_name`,
    join: sql`join employers employer on employer.id = e.employer_id
      join organizations organization on organization.id = employer.organization_id`,
  },
  user: {
    columns: sql`, ${sql.join(Object.entries(ofUser).map(([name, value]) => sql`${value} as ${sql.ref(`u_${name}`)}`))}`,
    join: sql`left join users u on u.id = e.user_id ${joinIdentityCheck}`,
  },
  balance: {
    columns: sql`, b.id as balance_id, b.earned_amount, b.limit_amount, b.taken_amount, b.pending_amount, b.available_amount`,
    join: sql`left join work_period_balances b on b.organization_id = e.organization_id and b.employee_id = e.id and b.is_open`,
  },
}

/**
 * Reads employees with the requested parts, masked for the person; `chosen` selects their keys, as columns `id` and
 * `organization_id`, and a sort key, `key`.
 */
export async function readEmployees(
  tx: Tx,
  actor: Pick<Actor, 'held'>,
  chosen: RawBuilder<unknown>,
  include: readonly Include[],
  order: RawBuilder<unknown> = sql`chosen.id`,
  using = included,
): Promise<(EmployeeRow & { key: unknown })[]> {
  const parts = [...new Set(include)].map((name) => using[name])
  const { rows } = await sql<Record<string, unknown>>`
    select chosen.key, ${own} ${sql.join(
      parts.map((part) => part.columns),
      sql` `,
    )}
    from (${chosen}) chosen join employees e on e.id = chosen.id and e.organization_id = chosen.organization_id
    ${sql.join(
      parts.map((part) => part.join),
      sql` `,
    )} order by ${order}`.execute(tx)
  const masked = !seesRestricted(actor)
  return rows.map((row) => toRow(masked && row.status === restrictedStatus ? { ...row, status: null } : row))
}

const toRow = (row: Record<string, unknown>) =>
  ({
    ...row,
    employer: row.employer_name !== undefined && {
      name: row.employer_name,
      code: row.employer_code,
      status: row.employer_status,
      organization_id: row.organization_id,
      organization_name: row.organization_name,
    },
    user:
      typeof row.u_id === 'number'
        ? { ...Object.fromEntries(Object.keys(ofUser).map((name) => [name, row[`u_${name}`]])), employee_id: row.id }
        : null,
    balance:
      typeof row.balance_id === 'number'
        ? {
            id: row.balance_id,
            limit_amount: row.limit_amount,
            earned_amount: row.earned_amount,
            taken_amount: row.taken_amount,
            pending_amount: row.pending_amount,
            available_amount: row.available_amount,
          }
        : null,
  }) as unknown as EmployeeRow & { key: unknown }

/** One employee, if the person may see it. */
export async function oneEmployee(tx: Tx, actor: Actor, id: number): Promise<EmployeeRow | null> {
  const chosen = sql`${prepared} select e.id, e.organization_id, null as key from employees e where e.id = ${id} and ${openTo(actor, sql.ref('e.employer_id'))}`
  const rows = await readEmployees(tx, actor, chosen, ['employer', 'user', 'balance'])
  return rows[0] ?? null
}

/** The key of an employee; throws 404 if there is none, or if it is not open to the person. */
export const openEmployee = async (tx: Tx, actor: Actor, id: number): Promise<RowKey> =>
  existing(
    await selectOne<RowKey>(tx)`${prepared} select e.id, e.organization_id from employees e
      where e.id = ${id} and ${openTo(actor, sql.ref('e.employer_id'))}`,
  )

/** The linked user, locked by the same read, so that it is read after any concurrent change. */
const userLocked = {
  ...included,
  user: {
    columns: included.user.columns,
    join: sql`left join lateral (select * from users where users.id = e.user_id for update) u on true ${joinIdentityCheck}`,
  },
}

/** One employee inside the person's access, locked until the transaction ends, with the linked user locked after it. */
export async function lockEmployee(tx: Tx, actor: Actor, of: RowOrId): Promise<EmployeeRow | null> {
  const key = typeof of === 'number' ? await keyOf(tx, 'employees', of) : of
  if (!key) return null
  const open = sql`from employees e where ${isRow('e', key)} and ${openTo(actor, sql.ref('e.employer_id'))}`
  // Executed in order by the database, so that the read comes after the lock; one round trip.
  const [locked, [employee]] = await Promise.all([
    sql`${prepared} select 1 ${open} for update of e`.execute(tx),
    readEmployees(
      tx,
      actor,
      sql`${prepared} select e.id, e.organization_id, null as key ${open}`,
      ['employer', 'user', 'balance'],
      undefined,
      userLocked,
    ),
  ])
  return (locked.rows.length > 0 && employee) || null
}

/** The employee linked to a user, locked with the user; null if there is none, or if it is not open. */
export async function lockEmployeeOfUser(tx: Tx, actor: Actor, userId: number): Promise<EmployeeRow | null> {
  const { rows } = await sql<RowKey>`select id, organization_id from employees where user_id = ${userId}`.execute(tx)
  const [linked] = rows
  if (!linked) return null
  const employee = await lockEmployee(tx, actor, linked)
  return employee?.user_id === userId ? employee : null
}

/** The columns that intents change. */
export type EmployeeChanges = Partial<
  Pick<
    Selectable<EmployeeTable>,
    | keyof typeof employeeDetails
    | 'status'
    | 'user_id'
    | 'pay_frequency'
    | 'next_pay_date'
    | 'status_before_pause'
    | 'paused_at'
    | 'paused_by'
    | 'paused_by_name'
    | 'pause_reason'
    | 'pause_details'
  >
>

/** Changes an employee that is locked and was read with all parts, and increments its version. */
export async function saveEmployee(
  tx: Tx,
  actor: Actor,
  employee: EmployeeRow,
  changes: EmployeeChanges,
  now: Date,
): Promise<EmployeeRow> {
  const set = Object.entries(changes).map(([column, value]) => sql`${sql.ref(column)} = ${value}, `)
  const { rows } = await sql<Omit<EmployeeRow, Include>>`${prepared}
    update employees e set ${sql.join(set, sql``)} updated_at = ${now}, updated_by = ${actor.id}, version = e.version + 1
    where ${isRow('e', employee)} returning ${own}`.execute(tx)
  const after = { ...employee, ...rows[0] }
  if (after.user_id === employee.user_id) return after
  return after.user_id === null ? { ...after, user: null } : ((await oneEmployee(tx, actor, after.id)) as EmployeeRow)
}

/** All reasons against resuming an employee that was read with all parts. */
export const whyNotResume = (employee: EmployeeRow): string[] =>
  whyNotUnpause({
    status: employee.status,
    employer_active: employee.employer?.status === 'ACTIVE',
    kyc_status: employee.user?.kyc_status ?? null,
    unrecovered_amount: employee.unrecovered_amount,
  })

/** Whether the person may see that an employee was paid off-cycle. */
export const seesRestricted = (actor: Pick<Actor, 'held'>): boolean => hasPermission(actor, 'read:off-cycle-payments')

/** Whether the person holds a permission. */
export const hasPermission = (actor: Pick<Actor, 'held'>, name: PermissionName): boolean => actor.held.has(permissionId(name))

/**
 * An employee as returned by the API to this person: the rate only with read:wages, pay details only with read:compensations, the
 * pay type only with both (docs/rules/employees.md; otherwise rates are shown per hour), the balance only with
 * read:work-period-balances, birth date and address only with read:personal-details (PERM-003, docs/rules/access.md).
 */
export function toEmployee(row: EmployeeRow, actor: Pick<Actor, 'held'>, include: readonly Include[]): Employee {
  const pay = hasPermission(actor, 'read:compensations')
  const wages = hasPermission(actor, 'read:wages')
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    employee_code: row.employee_code,
    email: row.email,
    phone_number: row.phone_number,
    ...visibleDetails(employeeDetails, row, actor),
    status: row.status,
    flow: row.flow,
    brand: row.brand,
    hire_date: row.hire_date,
    pay_type: pay && wages ? row.pay_type : null,
    pay_frequency: pay ? row.pay_frequency : null,
    next_pay_date: pay ? row.next_pay_date : null,
    // An annual rate would reveal the pay type, and so would sorting by it.
    rate_amount: wages ? (pay ? row.rate_amount : row.hourly_amount) : null,
    user_id: row.user_id,
    pause:
      row.paused_at === null
        ? null
        : {
            at: row.paused_at.toISOString(),
            by: { id: row.paused_by ?? '', name: row.paused_by_name ?? '' },
            reason: row.pause_reason ?? '',
            details: row.pause_details,
          },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    version: row.version,
    ...(include.includes('employer') &&
      row.employer && {
        employer: {
          id: row.employer_id,
          name: row.employer.name,
          code: row.employer.code,
          status: row.employer.status,
          organization_id: row.employer.organization_id,
          organization_name: row.employer.organization_name,
        },
      }),
    ...(include.includes('user') && { user: row.user ? toLinkedUser(row.user) : null }),
    ...(include.includes('balance') && {
      balance: hasPermission(actor, 'read:work-period-balances') ? (row.balance ?? null) : null,
    }),
  }
}
