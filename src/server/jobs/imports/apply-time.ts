import { sql } from 'kysely'
import { minutesApproved, type TimeTerms } from '#domain/time-entry.ts'
import { type Applying, nothingDone, type Outcome } from '#server/jobs/imports/apply-employees.ts'
import { match, rejectLines, rejectTwins, cellOf } from '#server/jobs/imports/matched.ts'
import { holding } from '#server/tables/configurations.ts'
import type { Tx } from '#server/tables/database.ts'
import { limitBy, termsOfEmployers } from '#server/tables/work-period-terms.ts'

/** A time entry is not older than so many months, nor further ahead than tomorrow. */
const monthsBack = 13

/** Hours and earned cents of each line, in `staged_time`. Clocks without hours are the time between them, past midnight where the end is earlier. */
async function workOut(tx: Tx): Promise<void> {
  const clock = (name: string) => sql`${cellOf(name)}::time`
  const between = sql`mod((extract(epoch from ${clock('clock_out')} - ${clock('clock_in')}) / 60)::int + 1440, 1440)`
  await sql`insert into staged_time (line, employee_id, work_date, minutes, earned_amount)
    select line, employee_id, work_date, minutes, coalesce(earned, minutes * hourly / 60) from (
      select l.line, e.id as employee_id, ${cellOf('work_date')}::date as work_date, ${cellOf('earned_wage')}::bigint as earned,
        coalesce(${cellOf('rate')}::bigint, e.hourly_amount) as hourly,
        case when ${cellOf('work_hours')} is not null then round(${cellOf('work_hours')}::numeric * 60 / 100)::int
          when ${cellOf('clock_in')} is not null and ${cellOf('clock_out')} is not null then ${between}
          when ${cellOf('earned_wage')} is not null and coalesce(${cellOf('rate')}::bigint, e.hourly_amount) > 0
            then least(1440, greatest(1, round(${cellOf('earned_wage')}::numeric * 60 / coalesce(${cellOf('rate')}::bigint, e.hourly_amount))))::int
        end as minutes
      from staged_people p join staged_lines l on l.line = p.line join employees e on e.id = p.employee_id) worked`.execute(tx)
}

const ofTime = (condition: ReturnType<typeof sql>) => sql`l.line in (select line from staged_time t where ${condition})`

/** Rejects lines that no time entry can be made of. */
async function judge(tx: Tx, today: string): Promise<void> {
  await rejectLines(
    tx,
    sql`l.line in (select line from staged_people where employee_id is null)`,
    sql`'Nobody is named ' || l.identifier || '.'`,
  )
  await sql`delete from staged_people p where not exists (select from staged_lines l where l.line = p.line)`.execute(tx)
  await workOut(tx)
  await rejectLines(
    tx,
    ofTime(sql`t.minutes is null or t.minutes < 1`),
    'It comes to no time: hours, or clock in and out, are needed.',
  )
  await rejectLines(
    tx,
    ofTime(sql`t.earned_amount is null`),
    'What was earned is not known: neither the line nor the employee has a rate.',
  )
  await rejectLines(
    tx,
    ofTime(sql`t.work_date > ${today}::date + 1 or t.work_date < ${today}::date - make_interval(months => ${monthsBack})`),
    `The work date is in the future, or more than ${monthsBack} months ago.`,
  )
  await rejectLines(
    tx,
    ofTime(sql`exists (select from work_period_balances over where over.employee_id = t.employee_id and not over.is_open
      and t.work_date between over.work_period_start and over.work_period_end)`),
    'The work period of this day is over.',
  )
  await sql`delete from staged_time t where not exists (select from staged_lines l where l.line = t.line)`.execute(tx)
}

/** Makes the partitions of the months that the lines are in. */
const makeMonths = (tx: Tx) =>
  sql`insert into monthly_partitions (parent, month) select distinct 'time_entries', date_trunc('month', work_date)::date from staged_time
    on conflict do nothing`.execute(tx)

/**
 * Whether new entries are approved by themselves: as long as the day of an employee, with what it has already and the lines before,
 * comes to no more than needs nobody (D184).
 */
const setStatuses = (tx: Tx, terms: TimeTerms | null) =>
  sql`with stays as (
      select e.employee_id, e.work_date, sum(e.minutes) as minutes
      from time_entries e join (select distinct employee_id, work_date from staged_time where not known) d using (employee_id, work_date)
      where e.status <> 'REJECTED' and not exists (select from staged_there gone where gone.id = e.id and gone.line is null)
      group by e.employee_id, e.work_date),
    days as (
      select t.line, coalesce(stays.minutes, 0) + sum(t.minutes) over (partition by t.employee_id, t.work_date order by t.line) as minutes
      from staged_time t left join stays using (employee_id, work_date) where not t.known)
    update staged_time t set status = case when days.minutes <= ${terms && minutesApproved(terms)}::int then 'AUTO' else 'PENDING' end
    from days where days.line = t.line`.execute(tx)

const counts = (alias: string) => sql`${sql.ref(`${alias}.status`)} in ('APPROVED', 'AUTO')`

/**
 * What an entry of a file there is already: of each day that the file names, entries of files with the same time and amount
 * are the same, one for one, and those that the file does not have are what it corrects (D253).
 */
async function compare(tx: Tx): Promise<void> {
  await sql`insert into staged_there
    select entry.id, entry.work_date, line.line from (
      select e.id, e.employee_id, e.work_date, e.minutes, e.earned_amount,
        row_number() over (partition by e.employee_id, e.work_date, e.minutes, e.earned_amount order by e.id) as place
      from time_entries e join (select distinct employee_id, work_date from staged_time) d using (employee_id, work_date)
      where e.import_id is not null and (e.status <> 'REJECTED' or e.decided_by not like 'import:%')) entry
    left join (select *, row_number() over (partition by employee_id, work_date, minutes, earned_amount order by line) as place
      from staged_time) line using (employee_id, work_date, minutes, earned_amount, place)`.execute(tx)
  await sql`update staged_time t set known = true from staged_there there where there.line = t.line`.execute(tx)
}

/** Changes what is earned by the people whose days changed, as approving and rejecting does; cents by employee and open period. */
const moveEarned = (tx: Tx, now: Date) =>
  sql`
  with moved as (
    select balance.id, sum(change.cents)::bigint as cents from staged_moved change
    join work_period_balances balance on balance.employee_id = change.employee_id and balance.is_open
      and change.work_date between balance.work_period_start and balance.work_period_end
    group by balance.id having sum(change.cents) <> 0),
  saved as (
    update work_period_balances balance set earned_amount = greatest(0, earned_amount + moved.cents),
      limit_amount = case when e.status in ('OFFCYCLE_PAID', 'DELETED', 'DUPLICATED', 'UNKNOWN') then balance.limit_amount
        else greatest(0, ${limitBy(sql`greatest(0, earned_amount + moved.cents)`)}) end,
      updated_at = ${now}, version = balance.version + 1
    from moved, employees e join (${termsOfEmployers}) terms on terms.employer_id = e.employer_id
    where balance.id = moved.id and e.id = balance.employee_id returning balance.employee_id)
  update employees set version = version + 1, updated_at = ${now} where id in (select employee_id from saved)`.execute(tx)

/** What the configuration says of time, of the employer or its organization; null where nothing holds. */
async function timeTermsOf(tx: Tx, { employer_id, organization_id }: Applying): Promise<TimeTerms | null> {
  const { rows } = await sql<{ [Name in keyof TimeTerms]: number | null }>`
    select own.daily_hours_limit, own.timekeeping_approval_threshold
    from (select) one left join ${holding('configurations', employer_id, organization_id)} own on true`.execute(tx)
  const [own] = rows
  return own && own.daily_hours_limit !== null
    ? { daily_hours_limit: own.daily_hours_limit, timekeeping_approval_threshold: own.timekeeping_approval_threshold ?? 0 }
    : null
}

/**
 * Applies the staged lines of a timekeeping file, all of them or none: entries that are not there yet are added, those of an
 * earlier file of the same day that this one does not have are rejected, and what is earned follows both.
 */
export async function applyTime(tx: Tx, applying: Applying & { today: string }): Promise<Outcome> {
  const { id, employer_id, now } = applying
  await rejectTwins(tx, 'TIMEKEEPING')
  await match(tx, 'TIMEKEEPING', employer_id)
  await judge(tx, applying.today)
  await makeMonths(tx)
  const terms = await timeTermsOf(tx, applying)
  const from = performance.now()
  // The employees first, as every command has it; then their entries are compared as they are behind that lock.
  await sql`select 1 from employees e where e.id in (select employee_id from staged_time) order by e.id for update`.execute(tx)
  await compare(tx)
  await setStatuses(tx, terms)
  const { rows: added } = await sql<{ count: number }>`
    with added as (
      insert into time_entries (employee_id, employer_id, work_date, minutes, earned_amount, status, import_id, updated_at)
      select employee_id, ${employer_id}, work_date, minutes, earned_amount, status, ${id}, ${now} from staged_time t where not known order by line
      returning employee_id, work_date, earned_amount, status),
    moved as (insert into staged_moved select employee_id, work_date, earned_amount from added where ${counts('added')})
    select count(*)::int as count from added`.execute(tx)
  const { rows: corrected } = await sql<{ count: number }>`
    with before as materialized (select e.id, e.employee_id, e.work_date, e.earned_amount, e.status from time_entries e
      join staged_there there on there.id = e.id and there.work_date = e.work_date where there.line is null and e.status <> 'REJECTED'),
    gone as (
      update time_entries e set status = 'REJECTED', decided_by = ${`import:${id}`}, decided_by_name = ${applying.received_by_name},
        decided_at = ${now}, decision_reason = ${`Corrected by import ${id}.`}, updated_at = ${now}, version = e.version + 1
      from before where before.id = e.id and before.work_date = e.work_date returning e.id),
    moved as (insert into staged_moved select employee_id, work_date, -earned_amount from before where ${counts('before')})
    select count(*)::int as count from gone`.execute(tx)
  await moveEarned(tx, now)
  return {
    ...nothingDone,
    created: added[0]?.count ?? 0,
    changed: corrected[0]?.count ?? 0,
    heldFor: Math.round(performance.now() - from),
  }
}
