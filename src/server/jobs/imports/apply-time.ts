import { type Kysely, type RawBuilder, sql } from 'kysely'
import { importText } from '#domain/import.ts'
import { partsOfHour } from '#domain/mapping-cells.ts'
import { placementCodes } from '#domain/employee.ts'
import type { MappingField } from '#domain/mapping-fields.ts'
import { minutesApproved, type TimeTerms } from '#domain/time-entry.ts'
import { type ApplyResult, type ImportContext, nothingDone, auditInsert } from '#server/jobs/imports/apply-employees.ts'
import { batchSize, changeInBatches, isOneOf, lockPeople } from '#server/jobs/imports/in-batches.ts'
import { cellOf, match, rejectLines, rejectSamePerson, rejectTwins, rejectUnknown } from '#server/jobs/imports/matched.ts'
import { rejectOverlaps } from '#server/jobs/imports/overlaps.ts'
import { leaveUnclear, rejectTime, rejectUnclear } from '#server/jobs/imports/unclear-days.ts'
import { effectiveRow } from '#server/tables/configurations.ts'
import type { Database, Tx } from '#server/tables/database.ts'
import { isEarned, limitBy, termsOfEmployers } from '#server/tables/work-period-terms.ts'

type TimeImportContext = ImportContext & { today: string }

/** A time entry is at most this many months old, and not later than tomorrow. */
const monthsBack = 13
const isPossible = (day: RawBuilder<unknown>, today: string) =>
  sql`${day} between ${today}::date - make_interval(months => ${monthsBack}) and ${today}::date + 1`

/** The highest rate that is believed without a person, in cents an hour: above it, a decimal point was lost. */
const believableRate = 500_00

/**
 * Calculates hours and earned cents of each line, into `staged_time`, and whether they are `beyond` what is believed without a
 * person: the amount exceeds what the hours can be worth, nobody earns that much an hour, or the day is still to come or before the
 * hire date. Lines with clock times already have the hours between them. A pay code that does not count means that nothing was
 * worked. The amount is computed from the hours of the file before they are rounded to minutes, half a cent rounded up. `offset 0`
 * keeps the planner from computing an inner column again for every reference.
 */
async function calculateTime(tx: Tx, payCodes: readonly string[] | null, { today, fields }: TimeImportContext): Promise<void> {
  const counts = payCodes
    ? sql`coalesce(upper(${cellOf('pay_code')}) = any(${payCodes.map((code) => code.toUpperCase())}::text[]), true)`
    : sql`true`
  await sql`insert into staged_time (line, employee_id, work_date, minutes, earned_amount, counts, derived, codes, beyond)
    select line, employee_id, work_date, minutes, amount, counts, earned is null and rate is null, codes,
      coalesce(amount * 60 > case when parts is null then 1440 else 2 * minutes end * coalesce(usual, hourly), false)
        or coalesce(coalesce(usual, hourly) > ${believableRate}::int, false)
        or coalesce(work_date > ${today}::date or work_date < hire_date, false)
    from (select *, coalesce(case when not counts then 0 end, earned, case when minutes = 0 then 0
      when parts is not null then round(parts * hourly / ${partsOfHour}::int) else round(minutes::numeric * hourly / 60) end) as amount
    from (select *, case when not counts then 0 when parts is not null then round(parts * 60 / ${partsOfHour}::int)::int
        when earned = 0 then 0
        when earned is not null and hourly > 0 then least(1440, greatest(1, round(earned * 60 / hourly)))::int end as minutes
      from (select l.line, e.id as employee_id, ${cellOf('work_date')}::date as work_date, ${cellOf('earned_wage')}::numeric as earned,
          ${cellOf('rate')}::bigint as rate, e.hourly_amount as usual, e.hire_date, coalesce(${cellOf('rate')}::bigint, e.hourly_amount)::numeric as hourly,
          ${counts} as counts, ${codesIn(fields)} as codes, ${cellOf('work_hours')}::numeric as parts
        from staged_people p join staged_lines l on l.line = p.line join employees e on e.id = p.employee_id offset 0) said offset 0) worked offset 0) worth`.execute(
    tx,
  )
}

/** The codes of line `l`, by field; null if it has none. */
const codesIn = (fields: ReadonlySet<MappingField>) => {
  const codes = placementCodes.filter((code) => fields.has(code))
  if (codes.length === 0) return sql`null::jsonb`
  const object = sql.join(codes.map((code) => sql`${sql.lit(code)}, ${cellOf(code)}`))
  return sql`nullif(jsonb_strip_nulls(jsonb_build_object(${object})), '{}')`
}

/** Whether line `t` says that nothing was worked: it names the day without any time. */
const hasNoTime = sql`(t.minutes = 0 and t.earned_amount = 0)`

const ofTime = (condition: ReturnType<typeof sql>) => sql`l.line in (select line from staged_time t where ${condition})`

/** Rejects lines that are not valid time entries. */
async function validate(tx: Tx, applying: TimeImportContext, payCodes: readonly string[] | null): Promise<void> {
  const { today, fields } = applying
  await rejectUnknown(tx, applying)
  await calculateTime(tx, payCodes, applying)
  await rejectLines(
    tx,
    ofTime(sql`t.minutes is null or (t.minutes < 1 and not ${hasNoTime})`),
    'It comes to no time: hours, or clock in and out, are needed.',
  )
  await rejectLines(
    tx,
    ofTime(sql`t.earned_amount is null`),
    'What was earned is not known: neither the line nor the employee has a rate.',
  )
  await rejectLines(
    tx,
    ofTime(sql`not (${isPossible(sql.ref('t.work_date'), today)})`),
    `The work date is in the future, or more than ${monthsBack} months ago.`,
  )
  await rejectOverlaps(tx, fields)
  await rejectUnclear(tx, applying)
  await forgetRejected(tx)
}

/** Rejects lines of billed days; call it with their employees locked, as the clock does when it ends a work period. */
async function rejectOver(tx: Tx, { organization_id }: ImportContext, people: readonly number[]): Promise<void> {
  const { rows } = await sql<{ line: number }>`select t.line from staged_time t
    join work_period_balances over on over.organization_id = ${organization_id} and over.employee_id = t.employee_id and not over.is_open
      and t.work_date between over.work_period_start and over.work_period_end
    where ${isOneOf(sql.ref('t.employee_id'), people)} and ${isOneOf(sql.ref('over.employee_id'), people)}`.execute(tx)
  await rejectTime(
    tx,
    rows.map(({ line }) => line),
    'The work period of this day is over.',
  )
}

const forgetRejected = (tx: Tx) =>
  sql`delete from staged_time t where not exists (select from staged_lines l where l.line = t.line)`.execute(tx)

/**
 * Creates the partitions for the months of the staged lines before they are applied: creating one locks tables that everybody
 * writes to, which must not last as long as applying a file.
 */
export const makeMonths = (guard: Kysely<Database>, today: string) =>
  sql`insert into monthly_partitions (parent, month)
    select distinct 'time_entries', date_trunc('month', day)::date from staged_lines l cross join lateral (select ${cellOf('work_date')}::date as day) said
    where ${isPossible(sql.ref('day'), today)} on conflict do nothing`.execute(guard)

/** Pairs equal entries and lines of a day one to one: the first line with the first entry. */
const placeBy = (columns: string, order: string) =>
  sql`row_number() over (partition by employee_id, work_date, ${sql.raw(columns)} order by ${sql.ref(order)})`

/**
 * People whose days are applied together, and the first and last day of the file, so that only partitions of those months are
 * read.
 */
interface Days {
  organization_id: number
  people: readonly number[]
  first: string
  last: string
}

/** The entries `e` of some people on the days in their staged lines. */
const entriesOf = ({ organization_id, people, first, last }: Days, lines = sql`true`) =>
  sql`time_entries e join (select distinct t.employee_id, t.work_date from staged_time t
      where ${isOneOf(sql.ref('t.employee_id'), people)} and ${lines}) d
    on d.employee_id = e.employee_id and d.work_date = e.work_date and e.organization_id = ${organization_id}
      and ${isOneOf(sql.ref('e.employee_id'), people)} and e.work_date between ${first}::date and ${last}::date`

/**
 * Finds the existing entries from files of this name: on each day in the file, entries with the same time and amount are matched
 * one to one, and entries without a line are those that the file corrects (docs/rules/imports.md). For a line without an amount
 * the same time is enough: the rate may have changed since, but not the earned amount.
 */
async function compare(tx: Tx, { id }: ImportContext, days: Days): Promise<void> {
  const lines = sql`(select * from staged_time where ${isOneOf(sql.ref('employee_id'), days.people)})`
  const existing = sql`(select * from staged_there where ${isOneOf(sql.ref('employee_id'), days.people)})`
  const noteKnown = () =>
    sql`update staged_time t set known = true from ${existing} there
      where there.line = t.line and not t.known and ${isOneOf(sql.ref('t.employee_id'), days.people)}`.execute(tx)
  const { numAffectedRows: found } = await sql`insert into staged_there (id, employee_id, work_date, minutes, line)
    select entry.id, entry.employee_id, entry.work_date, entry.minutes, line.line from (
      select e.*, ${placeBy('minutes, earned_amount', 'id')} as place from (
        select e.id, e.employee_id, e.work_date, e.minutes, e.earned_amount
        from ${entriesOf(days)}
        join imports came on came.id = e.import_id and came.file_key = (select file_key from imports where id = ${id})
        where e.status <> 'REJECTED' or e.decided_by not like 'import:%') e) entry
    left join (select *, ${placeBy('minutes, earned_amount', 'line')} as place from ${lines} line) line
      using (employee_id, work_date, minutes, earned_amount, place)`.execute(tx)
  if (found === 0n) return
  await noteKnown()
  await sql`update staged_there there set line = line.line
    from (select *, ${placeBy('minutes', 'id')} as place from ${existing} there where line is null) entry
    join (select *, ${placeBy('minutes', 'line')} as place from ${lines} line where derived and not known) line
      using (employee_id, work_date, minutes, place)
    where there.id = entry.id`.execute(tx)
  await noteKnown()
}

/**
 * Adds the missing entries; returns their number. They are approved automatically as long as the employee's day, with existing
 * entries and earlier lines, stays within the limit for automatic approval, and the line is not `beyond` belief.
 */
async function addEntries(tx: Tx, applying: ImportContext, limits: TimeTerms | null, days: Days): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with stays as (
      select e.employee_id, e.work_date, sum(e.minutes) as minutes
      from ${entriesOf(days, sql`not t.known`)}
      where e.status <> 'REJECTED' and not exists (select from staged_there gone where gone.id = e.id and gone.line is null)
      group by e.employee_id, e.work_date),
    added as (
      insert into time_entries (organization_id, employee_id, employer_id, work_date, minutes, earned_amount, status, import_id, codes,
        updated_at)
      select ${applying.organization_id}, t.employee_id, ${applying.employer_id}, t.work_date, t.minutes, t.earned_amount,
        case when t.of_day + coalesce(stays.minutes, 0) <= ${limits && minutesApproved(limits)}::int and not t.beyond then 'AUTO' else 'PENDING' end,
        ${applying.id}, t.codes, ${applying.now}
      from (select *, sum(minutes) over (partition by employee_id, work_date order by line) as of_day
        from staged_time where not known and ${isOneOf(sql.ref('employee_id'), days.people)}) t
      left join stays using (employee_id, work_date) where not ${hasNoTime} order by t.line
      returning employee_id, work_date, earned_amount, status),
    moved as (insert into staged_moved select employee_id, work_date, earned_amount from added where ${isEarned('added')})
    select count(*)::int as count from added`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Rejects entries of earlier files that this one no longer has; returns their number. */
async function rejectCorrected(tx: Tx, applying: ImportContext, people: readonly number[]): Promise<number> {
  const { id, now, organization_id } = applying
  const { rows } = await sql<{ count: number }>`
    with before as materialized (select e.id, e.employee_id, e.work_date, e.earned_amount, e.status from time_entries e
      join staged_there there on there.id = e.id and there.work_date = e.work_date and e.organization_id = ${organization_id}
      where there.line is null and ${isOneOf(sql.ref('there.employee_id'), people)} and e.status <> 'REJECTED'),
    gone as (
      update time_entries e set status = 'REJECTED', decided_by = ${`import:${id}`}, decided_by_name = ${applying.received_by_name},
        decided_at = ${now}, decision_reason = ${`Corrected by import ${id}.`}, updated_at = ${now}, version = e.version + 1
      from before where before.id = e.id and before.work_date = e.work_date and e.organization_id = ${organization_id}
      returning e.id, e.employer_id, e.minutes, e.version, before.status as was),
    events as (${auditInsert}
      select ${applying.received_by}, ${applying.received_by_name}, 'import.apply-file', 'time-entry', id::text, 'user', 'Corrected by file',
        ${importText(id)}, jsonb_build_object('status', was, 'minutes', minutes),
        jsonb_build_object('status', 'REJECTED', 'minutes', minutes), version, 'employer:' || employer_id from gone),
    moved as (insert into staged_moved select employee_id, work_date, -earned_amount from before where ${isEarned('before')})
    select count(*)::int as count from gone`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Changes the earnings of the people whose days changed, as approving and rejecting does; cents by employee and open period. */
const moveEarned = (tx: Tx, { now, organization_id }: ImportContext, people: readonly number[]) =>
  sql`
  with moved as (
    select balance.id, balance.earned_amount - balance.taken_back_beyond + sum(change.cents)::bigint as left_over from staged_moved change
    join work_period_balances balance on balance.organization_id = ${organization_id} and balance.employee_id = change.employee_id
      and balance.is_open
      and change.work_date between balance.work_period_start and balance.work_period_end
    where ${isOneOf(sql.ref('change.employee_id'), people)} and ${isOneOf(sql.ref('balance.employee_id'), people)}
    group by balance.id, balance.earned_amount, balance.taken_back_beyond having sum(change.cents) <> 0),
  saved as (
    update work_period_balances balance set earned_amount = greatest(0, moved.left_over),
      taken_back_beyond = greatest(0, -moved.left_over),
      limit_amount = case when e.status in ('OFFCYCLE_PAID', 'DELETED', 'DUPLICATED', 'UNKNOWN') then balance.limit_amount
        else greatest(0, ${limitBy(sql`greatest(0, moved.left_over)`)}) end,
      updated_at = ${now}, version = balance.version + 1
    from moved, employees e join (${termsOfEmployers}) terms on terms.employer_id = e.employer_id
    where balance.id = moved.id and balance.organization_id = ${organization_id}
      and e.id = balance.employee_id and e.organization_id = balance.organization_id returning balance.employee_id)
  update employees set version = version + 1, updated_at = ${now}
  where organization_id = ${organization_id} and id in (select employee_id from saved)`.execute(tx)

/** Updates the codes of existing entries from their lines; returns the number of changed entries. */
async function changeCodes(tx: Tx, applying: ImportContext, people: readonly number[]): Promise<number> {
  if (!placementCodes.some((code) => applying.fields.has(code))) return 0
  const codesOf = (column: string) => sql`coalesce(${sql.ref(column)}, '{}')`
  const { rows } = await sql<{ count: number }>`
    with before as materialized (
      select e.id, e.work_date, e.codes, coalesce(e.codes, '{}') || t.codes as codes_now from staged_there there
      join staged_time t on t.line = there.line join time_entries e on e.id = there.id and e.work_date = there.work_date
        and e.organization_id = ${applying.organization_id}
      where ${isOneOf(sql.ref('there.employee_id'), people)} and t.codes is not null and not ${codesOf('e.codes')} @> t.codes),
    changed as (
      update time_entries e set codes = before.codes_now, updated_at = ${applying.now}, version = e.version + 1
      from before where before.id = e.id and before.work_date = e.work_date and e.organization_id = ${applying.organization_id}
      returning e.id, e.employer_id, e.version, before.codes as was, e.codes),
    events as (${auditInsert}
      select ${applying.received_by}, ${applying.received_by_name}, 'import.apply-file', 'time-entry', id::text, 'user', 'Corrected by file',
        ${importText(applying.id)}, ${codesOf('was')}, codes, version, 'employer:' || employer_id from changed)
    select count(*)::int as count from changed`.execute(tx)
  return rows[0]?.count ?? 0
}

interface TimeConfiguration {
  /** Null without a limit for automatic approval. */
  limits: TimeTerms | null
  /** The pay codes that count; null if all do. */
  payCodes: string[] | null
}

/** The configuration for time of the employer or its organization. */
async function timeTermsOf(tx: Tx, { employer_id, organization_id }: ImportContext): Promise<TimeConfiguration> {
  const { rows } = await sql<{ [Name in keyof TimeTerms]: number | null } & { pay_codes: string[] | null }>`
    select own.daily_hours_limit, own.timekeeping_approval_threshold, own.pay_codes
    from (select) one left join ${effectiveRow('configurations', employer_id, organization_id)} own on true`.execute(tx)
  const { daily_hours_limit, timekeeping_approval_threshold, pay_codes } = rows[0] as (typeof rows)[number]
  return {
    limits:
      daily_hours_limit === null
        ? null
        : { daily_hours_limit, timekeeping_approval_threshold: timekeeping_approval_threshold ?? 0 },
    payCodes: pay_codes,
  }
}

/**
 * The people of the file in batches of about the same number of entries, with all days of a person together; people with a user
 * come last.
 */
async function batchesOfTime(tx: Tx): Promise<{ batches: number[][]; first: string; last: string } | null> {
  const { rows: batches } = await sql<{ people: number[]; first: string; last: string }>`
    select array_agg(employee_id order by employee_id) as people, min(first)::text as first, max(last)::text as last from (
      select *, (sum(entries) over (order by linked, employee_id) - entries)::bigint / ${batchSize.entries}::int as batch from (
        select t.employee_id, count(*) as entries, min(t.work_date) as first, max(t.work_date) as last, e.user_id is not null as linked
        from staged_time t join employees e on e.id = t.employee_id group by t.employee_id, e.user_id) counted) placed
    group by batch order by batch`.execute(tx)
  const days = batches.flatMap(({ first, last }) => [first, last]).sort()
  const [first, last] = [days[0], days.at(-1)]
  return first && last ? { batches: batches.map(({ people }) => people), first, last } : null
}

/** The result of a batch of people. */
interface BatchCounts {
  created: number
  changed: number
}

/**
 * Applies the staged lines of a timekeeping file, all or nothing: missing entries are added, those of an earlier file of the same
 * day that this one does not have are rejected, and earnings follow both.
 */
export async function applyTime(tx: Tx, applying: TimeImportContext): Promise<ApplyResult> {
  const { organization_id } = applying
  await rejectTwins(tx, 'TIMEKEEPING')
  await match(tx, 'TIMEKEEPING', applying)
  await rejectSamePerson(tx)
  const { limits, payCodes } = await timeTermsOf(tx, applying)
  await validate(tx, applying, payCodes)
  const time = await batchesOfTime(tx)
  const changeBatch = async (people: readonly number[]): Promise<BatchCounts> => {
    const days = { organization_id, people, first: time?.first ?? '', last: time?.last ?? '' }
    // Locks the employees first, as every command does, then compares their entries under that lock.
    await lockPeople(tx, organization_id, people)
    await rejectOver(tx, applying, people)
    await compare(tx, applying, days)
    await leaveUnclear(tx, applying, people)
    const created = await addEntries(tx, applying, limits, days)
    const corrected = await rejectCorrected(tx, applying, people)
    const recoded = await changeCodes(tx, applying, people)
    await moveEarned(tx, applying, people)
    return { created, changed: corrected + recoded }
  }
  return async () => {
    const { results, heldFor } = await changeInBatches(tx, time?.batches ?? [], changeBatch)
    const { rows: others } = await sql<{
      count: number
    }>`select count(*)::int as count from staged_time where not counts`.execute(tx)
    const uncounted = others[0]?.count ?? 0
    const sum = (name: keyof BatchCounts) => results.reduce((total, result) => total + result[name], 0)
    return {
      ...nothingDone,
      uncounted,
      note:
        uncounted === 0 ? null : `${uncounted === 1 ? '1 line has' : `${uncounted} lines have`} a pay code that does not count.`,
      created: sum('created'),
      changed: sum('changed'),
      heldFor,
    }
  }
}
