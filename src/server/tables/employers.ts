import { sql } from 'kysely'
import { Employer, type EmployerAdditionalInfo } from '#contract/employers.ts'
import type { Actor } from '#server/access/actor.ts'
import { openTo, organizationWholeTo } from '#server/access/scope.ts'
import type { EmployerTable } from '#server/tables/companies.ts'
import type { Tx } from '#server/tables/database.ts'
import { inStates } from '#server/tables/invoice-states.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import { isFound, selectAll, selectOne } from '#server/postgres/select.ts'
import { insertRow, saveRow } from '#server/tables/rows.ts'

/** An employer as read from the database. */
export type EmployerRow = Omit<Employer, 'created_at' | 'updated_at'> & { created_at: Date; updated_at: Date }

/** Whether an LMS configuration applies to employer `e`, its own or its organization's. */
export const lmsConfigured = sql<boolean>`exists (select from lms_configurations lms
  where lms.employer_id = e.id or lms.organization_id = e.organization_id)`

export const employerColumns = sql<EmployerRow>`
  e.id, e.internal_name, e.external_name, e.external_code, e.lookup_name, e.brand, e.direct_customer, e.status,
  e.go_live_date, e.cancellation_date, e.pilot_ee_count, e.pilot_launch_date, e.onboarded, e.organization_id,
  organization.name as organization_name, organization.status as organization_status, ${lmsConfigured} as lms_configured,
  e.created_at, e.updated_at, e.version`
export const employersJoined = sql`employers e join organizations organization on organization.id = e.organization_id`

/** An employer as returned by the API. */
export const toEmployer = (row: EmployerRow): Employer => answerOf(Employer, row)

/**
 * One employer, if the person may see it. With `lock` nobody else changes it, its organization, or a code in that before the
 * commit.
 */
export async function oneEmployer(tx: Tx, actor: Actor, id: number, { lock = false } = {}): Promise<EmployerRow | null> {
  if (lock) await sql`select 1 from ${employersJoined} where e.id = ${id} for no key update`.execute(tx)
  return selectOne<EmployerRow>(tx)`
    select ${employerColumns} from ${employersJoined} where e.id = ${id} and ${openTo(actor, sql.ref('e.id'))}`
}

/** The values of an employer that a person sets. */
export type EmployerValues = Partial<
  Pick<
    EmployerTable,
    | 'internal_name'
    | 'external_name'
    | 'external_code'
    | 'brand'
    | 'status'
    | 'go_live_date'
    | 'cancellation_date'
    | 'pilot_ee_count'
    | 'pilot_launch_date'
  > & { direct_customer: boolean; onboarded: boolean }
>

/** Changes a locked employer, increments its version, and notes another name with its employees, who are sorted by it. */
export async function saveEmployer(
  tx: Tx,
  { id, organization_id, internal_name }: Pick<EmployerRow, 'id' | 'organization_id' | 'internal_name'>,
  values: EmployerValues,
  now: Date,
): Promise<void> {
  await saveRow(tx, 'employers', id, values, now)
  if ((values.internal_name ?? internal_name) === internal_name) return
  await sql`update employees set employer_key = employer.name_key from employers employer
    where employer.id = ${id} and employees.employer_id = ${id} and employees.organization_id = ${organization_id}
      and employees.employer_key is distinct from employer.name_key`.execute(tx)
}

/** Adds an inactive employer; returns its id. */
export async function insertEmployer(
  tx: Tx,
  values: Omit<
    EmployerTable,
    'id' | 'status' | 'onboarded' | 'name_key' | 'created_at' | 'updated_at' | 'version' | 'direct_customer'
  > & {
    direct_customer: boolean
  },
): Promise<number> {
  return insertRow(tx, 'employers', { ...values, status: 'INACTIVE' })
}

/**
 * Whether another employer of the organization has this code; the caller holds the lock of the organization (`lockOrganization`).
 */
export async function isEmployerCodeTaken(tx: Tx, organizationId: number, code: string, but: number | null): Promise<boolean> {
  return isFound(tx)`select 1 from employers where organization_id = ${organizationId}
    and external_code = ${code} and id is distinct from ${but}::bigint limit 1`
}

/** Whether an employer has employees in any status. */
export async function hasEmployees(tx: Tx, employerId: number): Promise<boolean> {
  return isFound(tx)`select 1 from employees where employer_id = ${employerId} limit 1`
}

/** Additional info about these employers, if open to the person; `overdue` only for people who may read amounts. */
export async function additionalInfoOf(
  tx: Tx,
  actor: Actor,
  ids: readonly number[],
  { overdue }: { overdue: boolean },
): Promise<EmployerAdditionalInfo[]> {
  return selectAll<EmployerAdditionalInfo>(tx)`
    select company.id as employer_id, company.csm, people.all as employee_count, people.linked as linked_employee_count,
      ${overdue ? overdueOf : sql`null::bigint`} as overdue_amount
    from (
      select e.id, case when ${organizationWholeTo(actor, sql.ref('organization.id'))}
        then (select json_build_object('id', csm.id, 'name', csm.name) from customer_success_managers csm
          where csm.id = organization.csm_id) end as csm
      from ${employersJoined} where e.id = any(${[...ids]}::bigint[]) and ${openTo(actor, sql.ref('e.id'))}
    ) company
    cross join lateral (select count(*)::int as all, count(user_id)::int as linked from employees
      where employees.employer_id = company.id) people
    order by company.id`
}

const overdueOf = sql`(select coalesce(sum(e.outstanding_amount), 0)::bigint from invoices e
  where e.employer_id = company.id and ${inStates(['OVERDUE'])})`
