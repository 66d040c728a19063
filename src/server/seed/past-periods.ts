import { type Kysely, sql } from 'kysely'
import { transactionProviders } from '#domain/transaction.ts'
import { pastSetting } from '#server/money/billing/demo-days.ts'
import { feeOf } from '#server/seed/balances.ts'
import { periodsUpTo } from '#server/seed/billing/periods.ts'
import { makeChance } from '#server/seed/chance.ts'
import { makeTimeEntries } from '#server/seed/past-time.ts'
import type { Database, Tx } from '#server/tables/database.ts'
import { putSetting, settingOf } from '#server/tables/setting.ts'
import { earnedIn, limitBy, termsOfEmployers } from '#server/tables/work-period-terms.ts'

/** Days of past work periods and transactions. */
const days = 92
/** Employees per transaction. */
const batch = 10_000

/** The progress: the business date that dates are relative to, and the last employee whose past has been created. */
interface Progress {
  today: string
  after: number
}

/** Records that past work periods and all transactions must be created after the server has started. */
export const leavePastPeriods = (tx: Tx, today: string): Promise<void> => note(tx, { today, after: 0 })

const note = (tx: Kysely<Database>, progress: Progress | null) => putSetting(tx, pastSetting, JSON.stringify(progress))

const progressOf = async (db: Kysely<Database>): Promise<Progress | null> =>
  JSON.parse((await settingOf(db, pastSetting)) ?? 'null') as Progress | null

/** Whether the demo company comes from a version without transactions: then it has none. */
export const isWithoutPast = async (db: Kysely<Database>): Promise<boolean> => (await settingOf(db, pastSetting)) === null

/**
 * Creates the work periods of the last three months and all transactions of the next employees, matching their invoices; returns
 * whether there are more. It is one transaction with the progress, so that an interrupted run continues where it was.
 */
export async function makeNextPast(db: Kysely<Database>): Promise<boolean> {
  const at = await progressOf(db)
  if (!at) return false
  const next = await db.transaction().execute((tx) => makePart(tx, at))
  if (!next) await sql`analyze work_period_balances, transactions, additional_transactions, time_entries`.execute(db)
  return next !== null
}

/** Partitions for the months with transactions of the demo company, and the next four. */
const makeMonths = async (tx: Tx, today: string): Promise<void> =>
  void (await sql`
    insert into monthly_partitions (parent, month)
    select parent, generate_series(date_trunc('month', ${today}::date - ${days + 31}::int), ${today}::date + 124, interval '1 month')::date
    from unnest(array['transactions', 'time_entries']) as parent on conflict do nothing`.execute(tx))

/** Creates the past of the next employees; returns the new progress, null at the end. */
async function makePart(tx: Tx, { today, after }: Progress): Promise<Progress | null> {
  await makeChance(tx)
  if (after === 0) await makeMonths(tx, today)
  await sql`select set_config('statement_timeout', '0', true), set_config('work_mem', '64MB', true)`.execute(tx)
  const { rows } = await sql<{ last: number | null }>`
    select max(id) as last from (select id from employees where id > ${after} order by id limit ${batch}) part`.execute(tx)
  const last = rows[0]?.last ?? null
  const next = last === null ? null : { today, after: last }
  if (last !== null) {
    await makeWorked(tx, today, after, last)
    await makeBalances(tx)
    await makeTransactions(tx, today, after, last)
    await makeGrants(tx, after, last)
    await makeTimeEntries(tx, today, after, last)
    await sql`drop table worked`.execute(tx)
  }
  await note(tx, next)
  return next
}

/** Leaves the table `worked`: the finished periods of those who could withdraw, with the amounts taken by their invoices. */
async function makeWorked(tx: Tx, today: string, after: number, last: number): Promise<void> {
  await sql`
    create temporary table worked on commit drop as
    with periods as materialized (${periodsUpTo(today, days)}),
    terms as materialized (${termsOfEmployers}),
    part as materialized (
      select id, organization_id, employer_id, status, pay_frequency, pay_type = 'SALARY' as salaried, rate_amount, hire_date
      from employees where id > ${after} and id <= ${last} and user_id is not null and rate_amount is not null),
    billed as materialized (
      select line.employee_id, invoice.period_start, sum(line.original_amount)::bigint as amount
      from part join invoice_lines line on line.employee_id = part.id join invoices invoice on invoice.id = line.invoice_id
      where invoice.period_end between ${today}::date - ${days}::int and ${today}::date - 1
      group by 1, 2)
    select part.organization_id, part.id as employee_id, terms.*, periods.period_start, periods.period_end, coalesce(billed.amount, 0) as taken,
      ${earnedIn(sql`(periods.period_end - periods.period_start + 1)`, sql.ref('salaried'), sql.ref('rate_amount'))} as usual,
      hashint8extended(part.id, periods.period_start - date '2000-01-01') & 1152921504606846975 as seed
    from part join terms on terms.employer_id = part.employer_id
    join periods on periods.frequency = part.pay_frequency and side = part.employer_id % 6
    left join billed on billed.employee_id = part.id and billed.period_start = periods.period_start
    where periods.period_end < ${today}::date and (billed.amount > 0 or periods.period_start >= go_live_date
      and (active or periods.period_start < cancellation_date) and (hire_date is null or hire_date <= periods.period_end)
      and (part.status in ('ACTIVE', 'PAUSED') or periods.period_end < ${today}::date - 20))`.execute(tx)
}

/** Nobody withdrew more than half of the earned amount, whatever the current terms are. */
const makeBalances = async (tx: Tx): Promise<void> =>
  void (await sql`
    insert into work_period_balances (organization_id, employee_id, work_period_start, work_period_end, is_open, earned_amount,
      limit_amount, taken_amount, billed_amount, pending_amount, updated_at)
    select organization_id, employee_id, period_start, period_end, false, earned, greatest(${limitBy(sql.ref('earned'))}, taken), taken, taken, 0, period_end + 1
    from worked
    cross join lateral (select greatest(2 * taken, floor(usual * (0.75 + 0.35 * pg_temp.chance(seed, 401)))::bigint) as earned) work
    order by employee_id, period_start`.execute(tx))

/**
 * Creates the transactions of the amount taken in each of these balances, in whole advances where possible, of the pending
 * amount, and a few that failed or were deleted. The trigger that sums them is off: the balances already have the totals.
 */
async function makeTransactions(tx: Tx, today: string, after: number, last: number): Promise<void> {
  const [usual, other] = transactionProviders
  await sql`alter table transactions disable trigger user`.execute(tx)
  await sql`
    insert into transactions (organization_id, employee_id, work_period_balance_id, status, provider, amount, fee_amount, requested_at,
      settled_at)
    with part as materialized (
      select balance.*, ${feeOf(sql.ref('employer_id'))} as fee,
        case when pg_temp.chance(employee_id, 402) < 0.7 then ${usual}::text else ${other}::text end as provider,
        -- From the morning of the first day to the last, or to the night before today.
        work_period_start + interval '6 hours' as opened,
        least(work_period_end + interval '23 hours', greatest(${today}::date::timestamp, work_period_start + interval '7 hours')) as closed
      from work_period_balances balance join employees on employees.id = balance.employee_id
      where employee_id > ${after} and employee_id <= ${last} and work_period_start <= ${today}::date
        -- The clock may have gone on meanwhile.
        and not exists (select from transactions there where there.work_period_balance_id = balance.id)),
    drawn as (
      select part.*, coalesce(whole.count, 1) as advances, case when whole.count is null then least(fee, taken_amount - 1) else fee end as paid
      from part
      left join lateral (select count from generate_series(1, 8) as count
        where (taken_amount - count * fee) % (500 * count) = 0 and taken_amount / count - fee >= 500 limit 1) whole on true
      where taken_amount > 0),
    asked as (
      select id, organization_id, employee_id, provider, opened, closed, 'COMPLETE' as status, nth,
        taken_amount / advances - paid as amount, paid as fee
      from drawn cross join lateral generate_series(1, advances) as nth
      union all
      select id, organization_id, employee_id, provider, greatest(opened, closed - interval '20 hours'), closed, 'PENDING', 11, pending_amount - least(fee, pending_amount - 1), least(fee, pending_amount - 1)
      from part where pending_amount > 0
      union all
      select id, organization_id, employee_id, provider, opened, closed, case when odd < 0.03 then 'FAIL' else 'DELETED' end, 12,
        2000 + 500 * floor(odd * 1000)::bigint, fee
      from part cross join lateral (select pg_temp.chance(id, 403) as odd) chances where odd < 0.045),
    dated as (
      select asked.*, date_trunc('milliseconds', opened + pg_temp.chance(id * 16 + nth, 404) * (closed - opened)) as requested from asked)
    select organization_id, employee_id, id, status, provider, amount, fee, requested,
      case when status <> 'PENDING' then requested + interval '1 minute' + date_trunc('milliseconds', pg_temp.chance(id * 16 + nth, 405) * interval '3 hours') end
    from dated order by employee_id, requested`.execute(tx)
  await sql`alter table transactions enable trigger user`.execute(tx)
}

/** The additional transactions mentioned in the history, in the work periods in which they were granted. */
const makeGrants = async (tx: Tx, after: number, last: number): Promise<void> =>
  void (await sql`
    insert into additional_transactions (organization_id, employee_id, work_period_balance_id, granted_by, granted_by_name, granted_at, notes,
      used_before)
    select balance.organization_id, part.id, balance.id, event.actor_id, event.actor_name, event.at, event.text,
      (select count(*) from transactions t where t.work_period_balance_id = balance.id and t.status in ('PENDING', 'COMPLETE')
        and t.requested_at < event.at)
    from (select id from employees where id > ${after} and id <= ${last} and user_id is not null) part
    join audit_events event on event.entity = 'employee' and event.entity_id = part.id::text
      and event.intent = 'employee.additional-transaction'
    join work_period_balances balance on balance.employee_id = part.id and event.at::date between work_period_start and work_period_end
    where not exists (select from additional_transactions given where given.work_period_balance_id = balance.id)
    order by event.id`.execute(tx))
