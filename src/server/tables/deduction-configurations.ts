import { sql } from 'kysely'
import type { DeductionConfiguration } from '#contract/deduction-configurations.ts'
import type { Actor } from '#server/access/actor.ts'
import { openDebtor, openTo, organizationWholeTo } from '#server/access/scope.ts'
import { effectiveRow } from '#server/tables/configurations.ts'
import { lockOwner, type Owner, ownerIn } from '#server/tables/owners.ts'
import type { Tx } from '#server/tables/database.ts'
import { selectAll } from '#server/postgres/select.ts'

/** The columns that a person sets. */
const columns = [
  'allowed_rollover_percentage',
  'should_send_ewa_file',
  'should_send_empty_ewa_file',
  'auto_approve_ewa_file',
  'employee_identifier_type',
  'split_confirmation_file',
  'receives_confirmations',
  'receive_multiple_confirmations',
  'send_ewa_email',
  'real_time_deductions',
] as const
export type DeductionSettings = Pick<DeductionConfiguration, (typeof columns)[number]>

/**
 * The deduction settings of an owner that is open to the person; null for any other. With `lock` nobody else changes them before
 * the commit.
 */
export async function deductionConfigurationOf(
  tx: Tx,
  actor: Actor,
  owner: Owner,
  { lock = false } = {},
): Promise<DeductionConfiguration | null> {
  const open = await openDebtor(tx, actor, owner.type, owner.id)
  if (!open) return null
  if (lock) await lockOwner(tx, owner)
  const off = sql.join(
    columns
      .filter((name) => name !== 'allowed_rollover_percentage' && name !== 'employee_identifier_type')
      // By default files are sent.
      .map((name) => sql`coalesce(${sql.ref(`own.${name}`)}, ${sql.lit(name === 'should_send_ewa_file')}) as ${sql.ref(name)}`),
  )
  const { rows } = await sql<DeductionConfiguration>`
    select own.id, case when own.employer_id is null then 'ORGANIZATION' else 'EMPLOYER' end as level,
      ${open.organization_id}::bigint as organization_id, ${open.organization_name}::text as organization_name,
      ${open.employer_id}::bigint as employer_id, coalesce(own.allowed_rollover_percentage, 0) as allowed_rollover_percentage,
      coalesce(own.employee_identifier_type, 'EMPLOYEE_ID') as employee_identifier_type, ${off}, coalesce(own.version, 0) as version
    from (select) one
    left join ${effectiveRow('deduction_configurations', open.employer_id, open.organization_id)} own on true`.execute(tx)
  return rows[0] as DeductionConfiguration
}

/** Maximum number of rows in an unpaged answer. */
const maxListed = 1_000

/** The stored deduction configurations that are open to the person. */
export async function deductionConfigurations(tx: Tx, actor: Actor): Promise<DeductionConfiguration[]> {
  return selectAll<DeductionConfiguration>(tx)`
    select own.id, case when own.employer_id is null then 'ORGANIZATION' else 'EMPLOYER' end as level,
      organization.id as organization_id, organization.name as organization_name, own.employer_id,
      ${sql.join(columns.map((name) => sql.ref(`own.${name}`)))}, own.version
    from deduction_configurations own left join employers employer on employer.id = own.employer_id
    join organizations organization on organization.id = coalesce(own.organization_id, employer.organization_id)
    where case when own.employer_id is null then ${organizationWholeTo(actor, sql.ref('own.organization_id'))}
      else ${openTo(actor, sql.ref('own.employer_id'))} end
    order by own.id limit ${maxListed}`
}

/** Gives an owner a deduction configuration of its own; its version continues from that of the previously effective values. */
export async function insertDeductionConfiguration(tx: Tx, now: DeductionConfiguration, set: DeductionSettings): Promise<void> {
  const owner = ownerIn(now)
  const column = sql.ref(owner.type === 'EMPLOYER' ? 'employer_id' : 'organization_id')
  const names = sql.join([...columns, 'version'].map((name) => sql.ref(name)))
  const given = sql.join([...columns.map((name) => set[name]), now.version + 1])
  await sql`insert into deduction_configurations (${column}, ${names}) values (${owner.id}, ${given})`.execute(tx)
}

/** Changes a deduction configuration. */
export async function updateDeductionConfiguration(tx: Tx, now: DeductionConfiguration, set: DeductionSettings): Promise<void> {
  const changed = sql.join(columns.map((name) => sql`${sql.ref(name)} = ${set[name]}`))
  await sql`update deduction_configurations set ${changed}, version = version + 1 where id = ${now.id}`.execute(tx)
}
