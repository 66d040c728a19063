import { sql } from 'kysely'
import { hourly, timekeepers } from '#server/money/billing/demo-days.ts'
import type { Tx } from '#server/tables/database.ts'

/** A decider for the rows of `made` decided by a person, rotating among the admins. */
const decider = (column: string) => sql`(select ${sql.ref(`staff.${column}`)} from (
  select id::text as id, name, row_number() over (order by id) as nth, count(*) over () as many from people where kind = 'ADMIN') staff
  where nth = 1 + made.seed % many)`

/**
 * Creates a time entry for each working day of some employees in every existing work period, if their employer, like two of five,
 * sends worked time: approved entries add up to the earned amount. There are a few more that a person rejected, and in the open
 * period one that waits since it exceeds the employer's limit.
 */
export async function makeTimeEntries(tx: Tx, today: string, after: number, last: number): Promise<void> {
  await sql`
    insert into time_entries (organization_id, employee_id, employer_id, work_date, minutes, earned_amount, status, decided_by,
      decided_by_name, decided_at, decision_reason, updated_at, version)
    with keeper as materialized (${timekeepers}),
    period as materialized (
      select balance.id, balance.organization_id, balance.employee_id, balance.earned_amount, balance.is_open, employees.employer_id, keeper.most,
        ${hourly} as hourly,
        balance.work_period_start as first, least(balance.work_period_end, ${today}::date) as last
      from work_period_balances balance join employees on employees.id = balance.employee_id join keeper using (employer_id)
      where balance.employee_id > ${after} and balance.employee_id <= ${last} and balance.work_period_start <= ${today}::date
        and rate_amount is not null),
    worked as (
      select period.*, day::date as day, hashint8extended(period.id, day::date - date '2000-01-01') & 1152921504606846975 as seed
      from period cross join lateral generate_series(first, period.last, interval '1 day') as day
      -- Nobody works at weekends, but for who began at one.
      where extract(isodow from day) < 6 or day = first and not exists (
        select from generate_series(first, period.last, interval '1 day') as other where extract(isodow from other) < 6)),
    weighed as (
      select worked.*, sum(weight) over (partition by id order by day) as upto, sum(weight) over (partition by id) as whole, weight
      from worked cross join lateral (select 85 + seed % 31 as weight) weights),
    shared as (
      select weighed.*, floor(earned_amount * upto / whole)::bigint - floor(earned_amount * (upto - weight) / whole)::bigint as earned
      from weighed),
    made as (
      select organization_id, employee_id, employer_id, day, seed, earned, minutes,
        case when minutes <= most then 'AUTO' else 'APPROVED' end as status, null as reason
      from shared cross join lateral (
        select greatest(1, least(1440, round(earned * 60.0 / greatest(hourly, 1))))::int as minutes) clock
      union all
      select organization_id, employee_id, employer_id, day, seed, hourly * minutes / 60, minutes, 'REJECTED',
        (array['Reported twice', 'Not on site that day', 'Belongs to another employee'])[1 + seed % 3]
      from shared cross join lateral (select (120 + 15 * (seed % 9))::int as minutes) clock
      where seed % 173 = 0
      union all
      select organization_id, employee_id, employer_id, day, seed, hourly * minutes / 60, minutes, 'PENDING', null
      from shared cross join lateral (select (most + 15 + 15 * (seed % 8))::int as minutes) clock
      where is_open and seed % 19 = 0 and minutes <= 1440)
    select organization_id, employee_id, employer_id, day, minutes, earned, status,
      case when status in ('APPROVED', 'REJECTED') then ${decider('id')} end,
      case when status in ('APPROVED', 'REJECTED') then ${decider('name')} end,
      case when status in ('APPROVED', 'REJECTED') then day + interval '1 day 9 hours' end,
      reason, day + case when status in ('APPROVED', 'REJECTED') then interval '1 day 9 hours' else interval '20 hours' end,
      case when status in ('APPROVED', 'REJECTED') then 2 else 1 end
    from made order by employee_id, day`.execute(tx)
}
