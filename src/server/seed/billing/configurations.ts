import { sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'

/** Fictitious banks; their routing numbers pass the check of ABA (docs/rules/invoices.md). */
const banks = [
  ['First Harbor Bank', '121000248'],
  ['Meridian National', '021000021'],
  ['Union Prairie Bank', '026009593'],
  ['Beacon Savings', '011000015'],
  ['Northfield Bank', '091000019'],
  ['Canyon Trust', '122105155'],
  ['Pacific Crest Bank', '322271627'],
  ['Keystone Credit Union', '231380104'],
] as const

/**
 * Creates the billing configuration of organizations and some employers, and their billing accounts. Leaves the table
 * `billed_employers`: the effective configuration of each employer.
 */
export async function seedConfigurations(tx: Tx): Promise<void> {
  await sql`
    insert into lms_configurations (organization_id, payment_method, debtor_type, split_invoices, show_amount_per_department_code,
      invoice_net_days, invoice_deadline, ach_processing_days)
    select id, case when pg_temp.chance(id, 201) < 0.55 then 'AUTO_ACH' else 'SELF_PAY' end,
      case when pg_temp.chance(id, 202) < 0.12 then 'ORGANIZATION' else 'EMPLOYER' end,
      pg_temp.chance(id, 203) < 0.22, pg_temp.chance(id, 204) < 0.3,
      3 + floor(pg_temp.chance(id, 205) * 8)::int, 1 + floor(pg_temp.chance(id, 206) * 4)::int, 1 + floor(pg_temp.chance(id, 207) * 3)::int
    from organizations order by id`.execute(tx)
  // A cancelled employer pays the rest without debits.
  await sql`
    insert into lms_configurations (employer_id, payment_method, debtor_type, split_invoices, show_amount_per_department_code,
      invoice_net_days, invoice_deadline, ach_processing_days)
    select id, case when status = 'INACTIVE' or pg_temp.chance(id, 201) < 0.5 then 'SELF_PAY' else 'AUTO_ACH' end, 'EMPLOYER',
      status = 'ACTIVE' and pg_temp.chance(id, 203) < 0.3, pg_temp.chance(id, 204) < 0.3,
      3 + floor(pg_temp.chance(id, 205) * 8)::int, 1 + floor(pg_temp.chance(id, 206) * 4)::int, 1 + floor(pg_temp.chance(id, 207) * 3)::int
    from employers where status = 'INACTIVE' or pg_temp.chance(id, 208) < 0.25 order by id`.execute(tx)
  const deduction = sql`
    case when pg_temp.chance(id, 211) < 0.08 then null when pg_temp.chance(id, 211) < 0.14 then 0
      else 200 + 50 * floor(pg_temp.chance(id, 212) * 17)::int end,
    pg_temp.chance(id, 213) < 0.93, pg_temp.chance(id, 214) < 0.1, pg_temp.chance(id, 215) < 0.35,
    case when pg_temp.chance(id, 216) < 0.85 then 'EMPLOYEE_ID' else 'EXTERNAL_TK_ID' end,
    pg_temp.chance(id, 217) < 0.1, pg_temp.chance(id, 218) < 0.08, pg_temp.chance(id, 218) < 0.3, pg_temp.chance(id, 219) < 0.6,
    pg_temp.chance(id, 220) < 0.1`
  const columns = sql.raw(`allowed_rollover_percentage, should_send_ewa_file, should_send_empty_ewa_file, auto_approve_ewa_file,
    employee_identifier_type, split_confirmation_file, receive_multiple_confirmations, receives_confirmations, send_ewa_email,
    real_time_deductions`)
  await sql`insert into deduction_configurations (organization_id, ${columns}) select id, ${deduction} from organizations order by id`.execute(
    tx,
  )
  await sql`insert into deduction_configurations (employer_id, ${columns})
    select id, ${deduction} from employers where pg_temp.chance(id, 210) < 0.2 order by id`.execute(tx)
  await seedWithdrawals(tx)
  await seedAccounts(tx)
  await sql`
    create unlogged table billed_employers as
    select employers.id as employer_id, employers.organization_id, external_code as code, employers.internal_name as name, lookup_name,
      employers.status = 'ACTIVE' as active, go_live_date, cancellation_date, lms.payment_method, lms.debtor_type,
      case lms.debtor_type when 'EMPLOYER' then employers.id else employers.organization_id end as debtor_id,
      lms.split_invoices as split, lms.invoice_net_days as net_days, lms.invoice_deadline as deadline,
      rule.auto_approve_ewa_file as auto_approve,
      case when not rule.receives_confirmations then 'NONE' when rule.receive_multiple_confirmations then 'MULTIPLE' else 'SINGLE' end
        as confirmation_flow,
      coalesce(rule.allowed_rollover_percentage, 0) as rollover, rule.employee_identifier_type as identifier,
      (select count(*) from billing_accounts account where account.organization_id = employers.organization_id
        and (lms.debtor_type = 'ORGANIZATION' or account.scope = 'ORGANIZATION' or exists (select from billing_account_employers link
          where link.billing_account_id = account.id and link.employer_id = employers.id))) as accounts
    from employers
    cross join lateral (select * from lms_configurations given where given.employer_id = employers.id
      or given.organization_id = employers.organization_id order by given.employer_id nulls last limit 1) lms
    cross join lateral (select * from deduction_configurations given where given.employer_id = employers.id
      or given.organization_id = employers.organization_id order by given.employer_id nulls last limit 1) rule`.execute(tx)
  await sql`create unique index on billed_employers (employer_id)`.execute(tx)
}

/** Withdrawal settings: of every organization, and of some employers with billing terms of their own. */
async function seedWithdrawals(tx: Tx): Promise<void> {
  const columns = sql.raw(`withdraw_limit_type, withdraw_limit_amount, single_withdraw_amount_max, withdraw_amount_max,
    transaction_fee, requests_per_cycle, daily_hours_limit, timekeeping_approval_threshold`)
  const values = sql`
    case when by_share then 'PERCENTAGE' else 'AMOUNT' end,
    case when by_share then 2500 + 500 * floor(pg_temp.chance(id, 242) * 5)::int else 5000 + 1000 * floor(pg_temp.chance(id, 242) * 6)::int end,
    case when unlimited then 300000 else 10000 + 5000 * floor(pg_temp.chance(id, 243) * 19)::int end,
    case when unlimited then 300000 else 105000 + 15000 * floor(pg_temp.chance(id, 244) * 10)::int end,
    (array[0, 299, 299, 349, 399, 500])[1 + floor(pg_temp.chance(id, 245) * 6)::int], 1 + floor(pg_temp.chance(id, 246) * 10)::int,
    8 + 4 * floor(pg_temp.chance(id, 247) * 5)::int, 500 * floor(pg_temp.chance(id, 248) * 5)::int
    from (select id, pg_temp.chance(id, 241) < 0.9 as by_share, pg_temp.chance(id, 249) < 0.12 as unlimited from chosen) chosen order by id`
  await sql`insert into configurations (organization_id, ${columns})
    with chosen as (select id from organizations) select id, ${values}`.execute(tx)
  await sql`insert into configurations (employer_id, ${columns})
    with chosen as (select employer_id as id from lms_configurations where pg_temp.chance(employer_id, 240) < 0.6)
    select id, ${values}`.execute(tx)
}

/** One account for each organization, a second one for a few, and accounts of single employers. */
async function seedAccounts(tx: Tx): Promise<void> {
  const names = banks.map(([name]) => name)
  const numbers = banks.map(([, number]) => number)
  await sql`
    insert into billing_accounts (organization_id, name, nickname, bank_name, account_number, routing_number, ach_code, scope,
      created_at, updated_at)
    select organization_id, account.name, nickname, (${names}::text[])[bank], (10000000 + floor(pg_temp.chance(seed, 232) * 89999999)::bigint)::text,
      (${numbers}::text[])[bank], case when pg_temp.chance(seed, 233) < 0.4 then 'ACH' || lpad((seed % 10000)::text, 4, '0') end, scope,
      opened, opened
    from (
      select id as organization_id, id as seed, name, 'Payroll' as nickname, 'ORGANIZATION' as scope, created_at from organizations
      union all
      select id, id + 1, name, 'Reserve', 'ORGANIZATION', created_at from organizations where pg_temp.chance(id, 230) < 0.06
      union all
      select organization_id, id, internal_name, external_code, 'EMPLOYERS', created_at from employers
        where status = 'ACTIVE' and pg_temp.chance(id, 230) < 0.04
    ) account
    cross join lateral (select 1 + floor(pg_temp.chance(seed, 231) * ${banks.length})::int as bank,
      date_trunc('day', account.created_at) - interval '400 days' as opened) drawn
    order by organization_id, seed`.execute(tx)
  await sql`
    insert into billing_account_employers (billing_account_id, employer_id)
    select account.id, employers.id from billing_accounts account join employers
      on employers.organization_id = account.organization_id and employers.external_code = account.nickname
        and employers.internal_name = account.name
    where account.scope = 'EMPLOYERS'`.execute(tx)
}
