import { type Kysely, sql } from 'kysely'
import type { TransactionStatus } from '#domain/transaction.ts'
import type { Database } from '#server/tables/database.ts'

/** The organization of an employer, as a column of a row to insert. */
const organizationOfEmployer = (id: number) => sql<number>`(select organization_id from employers where id = ${id})`

/** The organization of an invoice, as a column of a row to insert. */
export const organizationOfInvoice = (id: number) => sql<number>`(select organization_id from invoices where id = ${id})`

/** The organization of a debtor, as a column of a row to insert. */
export const organizationOfDebtor = ({ type, id }: { type: 'EMPLOYER' | 'ORGANIZATION'; id: number }) =>
  type === 'ORGANIZATION' ? sql<number>`${id}::bigint` : organizationOfEmployer(id)

/** The organization of an employee, as a column of a row to insert. */
export const organizationOf = (employeeId: number) =>
  sql<number>`(select organization_id from employees where id = ${employeeId})`

/** One organization with employers, for tests that create their own employees. */
export async function createCompany(db: Kysely<Database>, name: string, employers = 1) {
  const organization = await db
    .insertInto('organizations')
    .values({
      name,
      lookup_name: name.toLowerCase(),
      brand: 'DAYLINE',
      source_code: `SRC-${name}`,
      status: 'ACTIVE',
      notes: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const made = await db
    .insertInto('employers')
    .values(
      Array.from({ length: employers }, (_, at) => ({
        organization_id: organization.id,
        internal_name: `${name} Works ${at + 1}`,
        external_name: `${name} Works`,
        external_code: `${name.slice(0, 2).toUpperCase()}-${at + 1}`,
        lookup_name: `${name}-works-${at + 1}`.toLowerCase(),
        brand: 'DAYLINE',
        status: 'ACTIVE' as const,
        go_live_date: null,
        cancellation_date: null,
        pilot_ee_count: null,
        pilot_launch_date: null,
      })),
    )
    .returning('id')
    .execute()
  return { organizationId: organization.id, employerIds: made.map((employer) => employer.id) }
}

interface BalanceInput {
  available: number
  pending?: number
  /** `yyyy-MM-dd`; a past period is created with `open: false`. */
  start?: string
  end?: string
  open?: boolean
}

/** A work period balance; a pending amount is created as a transaction. */
export async function createBalance(db: Kysely<Database>, employeeId: number, input: BalanceInput): Promise<number> {
  const pending = input.pending ?? 0
  const { id } = await db
    .insertInto('work_period_balances')
    .values({
      organization_id: organizationOf(employeeId),
      employee_id: employeeId,
      work_period_start: input.start ?? '2026-01-01',
      work_period_end: input.end ?? '2026-01-07',
      is_open: input.open ?? true,
      earned_amount: 2 * (input.available + pending),
      limit_amount: input.available + pending,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (pending > 0) await createTransaction(db, { employeeId, balanceId: id, status: 'PENDING', amount: pending })
  return id
}

interface TransactionInput {
  employeeId: number
  balanceId: number
  status: TransactionStatus
  amount: number
  fee?: number
  provider?: string
  at?: Date
}

export const createTransaction = async (db: Kysely<Database>, input: TransactionInput): Promise<number> => {
  const at = input.at ?? new Date()
  const { id } = await db
    .insertInto('transactions')
    .values({
      organization_id: organizationOf(input.employeeId),
      employee_id: input.employeeId,
      work_period_balance_id: input.balanceId,
      status: input.status,
      provider: input.provider ?? 'NORTHRAIL',
      amount: input.amount,
      fee_amount: input.fee ?? 0,
      requested_at: at,
      settled_at: input.status === 'PENDING' ? null : at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

interface EmployeeInput {
  employerId: number
  firstName?: string
  lastName?: string
  code?: string
  tkId?: string | null
  email?: string | null
  phone?: string | null
  status?: string
  flow?: 'PAYROLL' | 'CONSUMER'
  hireDate?: string | null
  payType?: 'HOURLY' | 'SALARY' | null
  payFrequency?: string | null
  rate?: number | null
  unrecovered?: number
  /** Creates a linked user. */
  linked?: { kyc?: string | null; forced?: boolean; email?: string } | false
  /** Cents; creates the open work period. */
  balance?: BalanceInput | null
}

interface UserInput {
  firstName?: string
  lastName?: string
  email?: string
  phone?: string | null
  brand?: string
  status?: string
  kyc?: string | null
  forced?: boolean
}

/** A user without a linked employee, with an identity check if its status is given. */
export async function createUser(db: Kysely<Database>, input: UserInput = {}): Promise<{ id: number }> {
  const kyc = input.kyc === undefined ? 'APPROVED' : input.kyc
  const user = await db
    .insertInto('users')
    .values({
      brand: input.brand ?? 'DAYLINE',
      first_name: input.firstName ?? 'Mia',
      last_name: input.lastName ?? 'Torres',
      email: input.email ?? 'user@example.com',
      phone_number: input.phone === undefined ? '(212) 555-0111' : input.phone,
      status: input.status ?? 'ACTIVE',
      kyc_status: kyc,
      force_password_change: input.forced ?? false,
      last_sign_in_at: null,
      updated_by: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (kyc !== null) await db.insertInto('identity_checks').values({ user_id: user.id }).execute()
  return user
}

/** An employee, with user and balance if given. */
export async function createEmployee(db: Kysely<Database>, input: EmployeeInput): Promise<{ id: number; userId: number | null }> {
  const firstName = input.firstName ?? 'Mia'
  const lastName = input.lastName ?? 'Torres'
  const user = input.linked ? await createUser(db, { firstName, lastName, ...input.linked }) : null
  const paused = input.status === 'PAUSED'
  const { id } = await db
    .insertInto('employees')
    .values({
      organization_id: organizationOfEmployer(input.employerId),
      employer_id: input.employerId,
      user_id: user?.id ?? null,
      first_name: firstName,
      last_name: lastName,
      employee_code: input.code ?? 'HF-88121',
      external_tk_id: input.tkId ?? null,
      email: input.email ?? null,
      phone_number: input.phone ?? null,
      department_code: null,
      status: input.status ?? (user ? 'ACTIVE' : 'ELIGIBLE'),
      flow: input.flow ?? 'PAYROLL',
      brand: 'DAYLINE',
      hire_date: input.hireDate ?? null,
      pay_type: input.payType === undefined ? 'HOURLY' : input.payType,
      pay_frequency: input.payFrequency === undefined ? 'WEEKLY' : input.payFrequency,
      next_pay_date: '2026-01-09',
      rate_amount: input.rate === undefined ? 2150 : input.rate,
      status_before_pause: paused ? (user ? 'ACTIVE' : 'ELIGIBLE') : null,
      paused_at: paused ? new Date() : null,
      paused_by: null,
      paused_by_name: paused ? 'Somebody' : null,
      pause_reason: paused ? 'Because' : null,
      pause_details: null,
      unrecovered_amount: input.unrecovered ?? 0,
      updated_by: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (input.balance) await createBalance(db, id, input.balance)
  return { id, userId: user?.id ?? null }
}

interface LinkedAccountInput {
  userId: number
  kind: 'BANK_ACCOUNT' | 'CARD'
  status?: 'ACTIVE' | 'PENDING' | 'FAIL' | 'DELETED'
  lastFour?: string
}

/** A bank account or card that a user linked; returns its id. */
export async function createLinkedAccount(db: Kysely<Database>, input: LinkedAccountInput): Promise<number> {
  const { userId, kind, status = 'ACTIVE', lastFour = '4242' } = input
  const deleted = status === 'DELETED'
  const { id } = await db
    .insertInto('linked_accounts')
    .values({
      user_id: userId,
      kind,
      provider: 'Linkbridge',
      bank_name: kind === 'CARD' ? null : 'Harborline Bank',
      brand: kind === 'CARD' ? 'Visa' : null,
      last_four: lastFour,
      status,
      failure: status === 'FAIL' ? 'The bank did not know the account.' : null,
      deleted_at: deleted ? new Date() : null,
      deleted_by: null,
      deleted_by_name: deleted ? 'Somebody' : null,
      deletion_reason: null,
      deletion_notes: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
