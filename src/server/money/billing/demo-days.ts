import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Candidate, isIn, type Share, shareOf } from '#server/tables/shares.ts'
import { selectAll } from '#server/postgres/select.ts'
import type { Database, Tx } from '#server/tables/database.ts'
import { putSetting, settingOf } from '#server/tables/setting.ts'
import { earnedIn, limitBy, termsOfEmployers } from '#server/tables/work-period-terms.ts'

/** Setting with the progress of creating the demo company's past, `null` once complete. */
export const pastSetting = 'past-periods'
/** Setting with the last day whose work has been added; with a number after it, that of a share if it is further. */
const workedSetting = 'demo-worked-to'
const workedOf = (share: number): string => `${workedSetting} ${share}`
/** Employers per transaction: some thousand people, whose rows it holds. */
const batch = 20

/** Demo employers that send worked time: two of five. */
const keepsTime = (employer: RawBuilder<unknown>) => sql`${employer} % 5 < 2`

/** Cents per hour of an employee whose columns are in scope. */
export const hourly = sql`(case when pay_type = 'SALARY' then rate_amount / 2080 else rate_amount end)`

/**
 * `most`, the minutes of a day that an employer approves automatically, by `employer_id`; matches `firstStatusOf` of the domain.
 */
export const timekeepers = sql`
  select employers.id as employer_id,
    coalesce(own.daily_hours_limit, theirs.daily_hours_limit, 0) * 60
      * (10000 + coalesce(own.timekeeping_approval_threshold, theirs.timekeeping_approval_threshold, 0)) / 10000 as most
  from employers
  left join configurations own on own.employer_id = employers.id
  left join configurations theirs on theirs.organization_id = employers.organization_id
  where ${keepsTime(sql.ref('employers.id'))}`

/** Whether past work periods, time entries and transactions of the demo company are still missing. */
export async function hasPastLeft(db: Kysely<Database>): Promise<boolean> {
  const progress = await settingOf(db, pastSetting)
  return progress !== null && progress !== 'null'
}

/** Records that all work up to a day, `yyyy-MM-dd`, has been added, everywhere or in one share. */
export const noteWorked = (tx: Tx, today: string, share: Share = null): Promise<void> =>
  putSetting(tx, share === null ? workedSetting : workedOf(share), today)

/**
 * The parts of the demo company without work up to today: ids of employers, then an end marker. Empty outside of the demo, where
 * employers send worked time, and while the demo's past is still being created.
 */
export async function partsToWork(tx: Tx, today: string, share: Share): Promise<Candidate[]> {
  if ((await settingOf(tx, 'seed')) !== 'demo' || (await settingOf(tx, pastSetting)) !== 'null') return []
  const worked = await settingOf(tx, workedSetting)
  if (worked === null) await noteWorked(tx, today)
  if (worked === null) return []
  const parts = await selectAll<Candidate>(tx)`
    select string_agg(id::text, ',' order by id) as key, share
    from (select id, share, row_number() over (partition by share order by id) / ${batch}::int as part
      from (select e.id, ${shareOf('e.organization_id')} as share from employers e where ${isIn(share, 'e.organization_id')}) own) parts
    where greatest(${worked}, (select value from settings where name = ${workedSetting} || ' ' || share)) < ${today}
    group by share, part order by share, part`
  return share === null || parts.length === 0 ? parts : [...parts, { key: `${end}${parts.length}`, share }]
}

/**
 * Adds the time entries and the earned share of each day that passed, for one part; the final part records that the share is up to
 * date if `worked` parts reached today. Returns 1 if this part did. The missing days follow from the stored ones, so that running
 * twice changes nothing.
 */
export async function workPart(
  tx: Tx,
  key: string,
  { today, worked, share }: { today: string; worked: number; share: Share },
): Promise<0 | 1> {
  if (key.startsWith(end)) {
    // A part that failed is retried in the next round.
    if (key === `${end}${worked}`) await noteWorked(tx, today, share)
    return 0
  }
  const days = [await settingOf(tx, workedSetting), share === null ? null : await settingOf(tx, workedOf(share))]
  const since =
    days
      .filter((day) => day !== null)
      .sort()
      .at(-1) ?? today
  const employers = key.split(',')
  const organizations = await selectAll<{ id: number }>(tx)`
    select distinct organization_id as id from employers where id = any(${employers}::bigint[]) order by id`
  await work(tx, { employers, organizations: organizations.map(({ id }) => id), today, since })
  return 1
}

const end = 'end of '

interface Days {
  employers: readonly string[]
  /** Those of the employers. */
  organizations: readonly number[]
  /** The last day whose work has been added; work is added up to `today`. */
  since: string
  today: string
}

/** Common start of the statements below: the balances of those employers' people with days to add. */
const periodsOf = ({ organizations, employers, since, today }: Days) => sql`
  period as materialized (
    select balance.id, balance.employee_id, balance.earned_amount, employee.employer_id, employee.organization_id, ${hourly} as hourly,
      work_period_start as first, least(work_period_end, ${today}::date) as last, employee.pay_type = 'SALARY' as salaried, employee.rate_amount as rate
    from employees employee join work_period_balances balance
      on balance.employee_id = employee.id and balance.organization_id = employee.organization_id
    where employee.organization_id = any(${[...organizations]}::bigint[]) and employee.employer_id = any(${[...employers]}::bigint[])
      and employee.status in ('ACTIVE', 'PAUSED') and employee.user_id is not null
      and rate_amount is not null and work_period_end > ${since}::date and work_period_start <= ${today}::date)`

/**
 * Sets the earned amount from the table expression `earned` (`id`, `organization_id`, `employee_id`, `amount`), and the limit by
 * the terms.
 */
const earn = sql`
  update work_period_balances balance set earned_amount = amount, version = balance.version + 1, updated_at = now(),
    limit_amount = greatest(0, ${limitBy(sql.ref('amount'))})
  from earned join employees on employees.id = earned.employee_id and employees.organization_id = earned.organization_id
  join (${termsOfEmployers}) terms using (employer_id)
  where balance.id = earned.id and balance.organization_id = earned.organization_id and balance.earned_amount <> amount`

async function work(tx: Tx, days: Days): Promise<void> {
  // Locks the employees before their balances, in order of id, as every command does: organization by organization. Nothing else
  // locks people of several, so the order of the organizations does not matter. Pipelined in one round trip.
  const locking = days.organizations.map((organization) =>
    sql`select from employees where organization_id = ${organization} and employer_id = any(${[...days.employers]}::bigint[])
      and status in ('ACTIVE', 'PAUSED') and user_id is not null order by id for update`.execute(tx),
  )
  await Promise.all(locking)
  await sql`
    with keeper as materialized (${timekeepers} and employers.id = any(${[...days.employers]}::bigint[])), ${periodsOf(days)},
    missing as (
      select period.id, period.employee_id, employer_id, organization_id, most, hourly, day::date as day,
        60 * 8 * (85 + (hashint8extended(period.id, day::date - date '2000-01-01') & 1048575) % 31) / 100 as minutes
      from period join keeper using (employer_id)
      cross join lateral generate_series(greatest(first, ${days.since}::date + 1), last, interval '1 day') as day
      where extract(isodow from day) < 6 and hourly > 0 and not exists (
        select from time_entries there
        where there.organization_id = period.organization_id and there.employee_id = period.employee_id and there.work_date = day::date)),
    added as (
      insert into time_entries (organization_id, employee_id, employer_id, work_date, minutes, earned_amount, status, updated_at)
      select organization_id, employee_id, employer_id, day, minutes, hourly * minutes / 60, case when minutes <= most then 'AUTO' else 'PENDING' end,
        day + interval '20 hours'
      from missing order by employee_id, day returning employee_id, work_date, earned_amount, status),
    earned as (
      select period.id, period.organization_id, period.employee_id, period.earned_amount + sum(added.earned_amount)::bigint as amount
      from period join added on added.employee_id = period.employee_id and work_date between first and last and added.status = 'AUTO'
      group by 1, 2, 3, period.earned_amount)
    ${earn}`.execute(tx)
  // An amount that a person adjusted no longer equals any day's figure, so it is left alone.
  const upTo = (day: RawBuilder<unknown>) => earnedIn(sql`(${day})::int`, sql.ref('salaried'), sql.ref('rate'))
  await sql`
    with ${periodsOf(days)},
    earned as (
      select id, organization_id, employee_id, ${upTo(sql`last - first + 1`)} as amount from period
      where not (${keepsTime(sql.ref('employer_id'))}) and exists (
        select from generate_series(0, last - first) as passed where ${upTo(sql`passed`)} = earned_amount))
    ${earn}`.execute(tx)
}
