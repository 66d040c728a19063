import { type Generated, type RawBuilder, sql } from 'kysely'
import type { Configuration, ConfigurationExample, LmsConfiguration } from '#contract/configurations.ts'
import { invoiceTerms, type PartnerType, type WithdrawLimitType } from '#domain/configuration.ts'
import type { Actor } from '#server/access/actor.ts'
import { openDebtor, openTo } from '#server/access/scope.ts'
import type { Tx } from '#server/tables/database.ts'
import { lockOwner, type Owner, ownerIn } from '#server/tables/owners.ts'
import { selectAll, selectOne } from '#server/postgres/select.ts'

/** The table `configurations`; amounts in cents, percentages in basis points, 0 for none. */
export interface ConfigurationTable {
  id: Generated<number>
  organization_id: number | null
  employer_id: number | null
  withdraw_limit_type: WithdrawLimitType
  withdraw_limit_amount: number
  single_withdraw_amount_max: number
  withdraw_amount_max: number
  transaction_fee: number
  requests_per_cycle: number
  daily_hours_limit: number
  timekeeping_approval_threshold: number
  partner_type: Generated<PartnerType>
  pay_codes: Generated<string[] | null>
  /** Organizations only. */
  integrations_folder: Generated<string | null>
  /** False until the limits of open work periods have been recalculated. */
  reckoned: Generated<boolean>
  version: Generated<number>
}

declare module '#server/tables/database.ts' {
  interface Database {
    configurations: ConfigurationTable
  }
}

const columnOf = ({ type }: Owner) => sql.ref(type === 'EMPLOYER' ? 'employer_id' : 'organization_id')

/** The columns of `configurations` that a person sets. */
const ownColumns = [
  'withdraw_limit_type',
  'withdraw_limit_amount',
  'single_withdraw_amount_max',
  'withdraw_amount_max',
  'transaction_fee',
  'requests_per_cycle',
  'daily_hours_limit',
  'timekeeping_approval_threshold',
  'partner_type',
  'pay_codes',
] as const
/** The settings that a person may change; the folder belongs to organizations only. */
export type Settings = Pick<Configuration, (typeof ownColumns)[number] | 'integrations_folder'> &
  Pick<LmsConfiguration, (typeof invoiceTerms)[number]>

/** The effective row of a table for an owner: the employer's own before its organization's. */
export const effectiveRow = (
  table: string,
  employer: number | RawBuilder<unknown> | null,
  organization: number | RawBuilder<unknown>,
): RawBuilder<unknown> => sql`(
  select * from ${sql.table(table)} given where given.employer_id = ${employer} or given.organization_id = ${organization}
  order by given.employer_id nulls last limit 1)`

/** Invoice terms of an owner from the effective row `lms`, with defaults for missing values. */
export const termsOf = sql`
  coalesce(lms.ach_processing_days, 2) as ach_processing_days, coalesce(lms.invoice_deadline, 2) as invoice_deadline,
  coalesce(lms.invoice_net_days, 5) as invoice_net_days, coalesce(lms.split_invoices, false) as split_invoices,
  coalesce(lms.show_amount_per_department_code, false) as show_amount_per_department_code`

/**
 * The effective configuration of an owner that is open to the person; null for any other. With `lock` nobody else changes it
 * before the commit.
 */
export async function configurationOf(tx: Tx, actor: Actor, owner: Owner, { lock = false } = {}): Promise<Configuration | null> {
  const open = await openDebtor(tx, actor, owner.type, owner.id)
  if (!open) return null
  if (lock) await lockOwner(tx, owner)
  const { employer_id, organization_id, organization_name } = open
  const { rows } = await sql<Configuration>`
    select own.id, case when own.employer_id is null then 'ORGANIZATION' else 'EMPLOYER' end as level,
      case when lms.employer_id is null then 'ORGANIZATION' else 'EMPLOYER' end as terms_level, lms.id is not null as lms_configured,
      ${organization_id}::bigint as organization_id, ${organization_name}::text as organization_name, ${employer_id}::bigint as employer_id,
      coalesce(own.withdraw_limit_type, 'PERCENTAGE') as withdraw_limit_type,
      coalesce(own.withdraw_limit_amount, 0) as withdraw_limit_amount,
      coalesce(own.single_withdraw_amount_max, 0) as single_withdraw_amount_max,
      coalesce(own.withdraw_amount_max, 0) as withdraw_amount_max, coalesce(own.transaction_fee, 0) as transaction_fee,
      coalesce(own.requests_per_cycle, 0) as requests_per_cycle, coalesce(own.daily_hours_limit, 24) as daily_hours_limit,
      coalesce(own.timekeeping_approval_threshold, 0) as timekeeping_approval_threshold,
      coalesce(own.partner_type, 'NONE') as partner_type, own.pay_codes,
      (select integrations_folder from configurations theirs where theirs.organization_id = ${organization_id}) as integrations_folder,
      coalesce(lms.payment_method = 'AUTO_ACH', false) as auto_ach, ${termsOf},
      coalesce(rule.allowed_rollover_percentage, 0) as allowed_rollover_percentage,
      coalesce(rule.employee_identifier_type, 'EMPLOYEE_ID') as employee_identifier_type, coalesce(own.version, 0) as version
    from (select) one
    left join ${effectiveRow('configurations', employer_id, organization_id)} own on true
    left join ${effectiveRow('lms_configurations', employer_id, organization_id)} lms on true
    left join ${effectiveRow('deduction_configurations', employer_id, organization_id)} rule on true`.execute(tx)
  return rows[0] as Configuration
}

/** The owner of the configuration with this id, without a check of access; null when there is none. */
export async function ownerOf(
  tx: Tx,
  id: number,
  table: 'configurations' | 'lms_configurations' | 'deduction_configurations' = 'configurations',
): Promise<Owner | null> {
  const { rows } = await sql<{ employer_id: number | null; organization_id: number | null }>`
    select employer_id, organization_id from ${sql.table(table)} where id = ${id}`.execute(tx)
  return rows[0] ? ownerIn(rows[0]) : null
}

/** The settings that an owner has: only organizations have a folder. */
const ownNames = ({ employer_id }: Pick<Configuration, 'employer_id'>) =>
  employer_id === null ? ([...ownColumns, 'integrations_folder'] as const) : ownColumns

/** Whether another organization has a folder of this name, ignoring case. */
export async function isFolderTaken(tx: Tx, folder: string, organization: number): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select exists (select from configurations
    where lower(integrations_folder) = lower(${folder}) and organization_id <> ${organization}) as taken`.execute(tx)
  return rows[0]?.taken ?? false
}

/** Whether files can arrive in the folder of an organization: it has an SFTP user (docs/rules/companies.md). */
export async function isFolderUsed(tx: Tx, organization: number): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from sftp_users where organization_id = ${organization}) as used`.execute(tx)
  return rows[0]?.used ?? false
}

/**
 * An example employee for the configuration of an owner: the one with the highest earnings in the open period among those open to
 * the person.
 */
export async function exampleOf(tx: Tx, actor: Actor, { type, id }: Owner): Promise<ConfigurationExample | null> {
  const affected =
    type === 'EMPLOYER'
      ? sql`employer.id = ${id}`
      : sql`employer.organization_id = ${id} and not exists (select from configurations own where own.employer_id = employer.id)`
  return selectOne<ConfigurationExample>(tx)`
    select e.id as employee_id, e.first_name || ' ' || e.last_name as name, b.earned_amount, b.taken_amount, b.pending_amount
    from employers employer join employees e on e.employer_id = employer.id
    join work_period_balances b on b.organization_id = e.organization_id and b.employee_id = e.id and b.is_open
    where ${affected} and e.status = 'ACTIVE' and ${openTo(actor, sql.ref('e.employer_id'))}
    order by b.earned_amount desc, e.id limit 1`
}

/**
 * Gives an owner a configuration of its own with these settings. Its version continues from that of the previously effective
 * values, so that people who saw those get a stale-version conflict.
 */
export async function insertConfiguration(tx: Tx, now: Configuration, settings: Settings): Promise<void> {
  const owner = ownerIn(now)
  const columns = sql.join([...ownNames(now), 'version'].map((name) => sql.ref(name)))
  const given = sql.join([...ownNames(now).map((name) => settings[name]), now.version + 1])
  await sql`insert into configurations (${columnOf(owner)}, reckoned, ${columns}) values (${owner.id}, false, ${given})`.execute(
    tx,
  )
}

/** Changes a configuration. */
export async function updateConfiguration(tx: Tx, now: Configuration, settings: Settings): Promise<void> {
  const changed = sql.join(ownNames(now).map((name) => sql`${sql.ref(name)} = ${settings[name]}`))
  await sql`update configurations set ${changed}, reckoned = false, version = version + 1 where id = ${now.id}`.execute(tx)
}

/** Saves the invoice terms of an owner; an employer without terms of its own starts with those of its organization. */
export async function saveTerms(tx: Tx, now: Configuration, settings: Settings): Promise<void> {
  const owner = ownerIn(now)
  const column = columnOf(owner)
  const terms = sql.join(invoiceTerms.map((name) => sql.ref(name)))
  const given = sql.join([
    settings.payment_method,
    sql`${settings.split_invoices}::boolean`,
    sql`${settings.show_amount_per_department_code}::boolean`,
    ...[settings.ach_processing_days, settings.invoice_deadline, settings.invoice_net_days].map((days) => sql`${days}::integer`),
  ])
  const changed = sql.join(invoiceTerms.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`))
  await sql`
    insert into lms_configurations (${column}, debtor_type, ${terms})
    select ${owner.id}, coalesce(held.debtor_type, 'EMPLOYER'), ${given}
    from (select) one left join ${effectiveRow('lms_configurations', now.employer_id, now.organization_id)} held on true
    on conflict (${column}) where ${column} is not null
      do update set ${changed}, version = lms_configurations.version + 1`.execute(tx)
}

/** The active accounts that an owner is debited from, with the last four digits of their numbers. */
export async function accountsOf(tx: Tx, { organization_id, employer_id }: Configuration): Promise<Configuration['accounts']> {
  return selectAll<NonNullable<Configuration['accounts']>[number]>(tx)`
    select id, name, nickname, bank_name, right(account_number, 4) as account_number_last_four, scope
    from billing_accounts account
    where organization_id = ${organization_id} and status = 'ACTIVE' and (${employer_id}::bigint is null or scope = 'ORGANIZATION'
      or exists (select from billing_account_employers link
        where link.billing_account_id = account.id and link.employer_id = ${employer_id}))
    order by id`
}
