import { sql } from 'kysely'
import { addDays, daysBetween, isBusinessDay } from '#domain/calendar.ts'
import { departments } from '#server/seed/names.ts'
import type { Tx } from '#server/tables/database.ts'

/** Maximum age of invoices if more are requested than the usual pay periods give. */
const maxYears = 4
const daysOfYear = 365
/** Usual age of invoices in days: eight months, so that the first run stays short. */
const usualDays = 240

/**
 * Leaves, besides the table `periods`, the tables `bank_days`, the business days after each day, and `slots`: one future invoice
 * for each pay group, period and part of a split invoice, including the current period. With `invoices` there are at least that
 * many; returns whether that took more than the pay periods give.
 */
export async function seedPeriods(tx: Tx, today: string, invoices: number | undefined): Promise<{ crowded: boolean }> {
  await sql`
    create unlogged table pay_groups as
    select employer_id, pay_frequency as frequency, row_number() over (partition by employer_id order by pay_frequency) as number,
      count(*) as workers
    from employees where user_id is not null and pay_frequency is not null group by employer_id, pay_frequency`.execute(tx)
  await makeSlots(tx, today, 1)
  const natural = await countSlots(tx)
  const crowded = invoices !== undefined && invoices > natural
  if (crowded) {
    await makePeriods(tx, today, Math.min(maxYears, Math.ceil(invoices / natural)) * daysOfYear)
    await makeSlots(tx, today, 1)
    const deep = await countSlots(tx)
    if (deep < invoices) await makeSlots(tx, today, Math.ceil(invoices / deep))
  }
  await bankDays(tx, today, maxYears * daysOfYear + 200)
  return { crowded }
}

async function countSlots(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from slots`.execute(tx)
  return rows[0]?.count ?? 0
}

/**
 * The pay periods of the demo that start by `today` and end at most `days` days before it, or later: columns `frequency`, `side`
 * (the employers that have it: their id modulo 6), `period_start`, `period_end`; both days belong to the period.
 */
export const periodsUpTo = (today: string, days: number) => sql`
  with weeks as (
    select length, side, ${today}::date - (extract(isodow from ${today}::date)::int - 1) - 2 * (side % 3) - 7 * (side % 2) + number * length as starts
    from (values (7), (14)) as shape(length), generate_series(0, 5) as side, generate_series(-${Math.ceil(days / 7)}::int, 3) as number),
  months as (select (date_trunc('month', ${today}::date) + number * interval '1 month')::date as first
    from generate_series(-${Math.ceil(days / 30.4)}::int, 2) as number),
  halves as (
    select 'SEMI_MONTHLY' as frequency, first as starts, first + 14 as ends from months union all
    select 'SEMI_MONTHLY', first + 15, (first + interval '1 month - 1 day')::date from months union all
    select 'MONTHLY', first, (first + interval '1 month - 1 day')::date from months),
  every as (
    select case length when 7 then 'WEEKLY' else 'BI_WEEKLY' end as frequency, side, starts as period_start, starts + length - 1 as period_end
      from weeks
    union all select frequency, side, starts, ends from halves, generate_series(0, 5) as side)
  select * from every where period_start <= ${today}::date and period_end >= ${today}::date - ${days}::int`

/** Creates the table `periods`. */
export async function makePeriods(tx: Tx, today: string, days = usualDays): Promise<void> {
  await sql`drop table if exists periods`.execute(tx)
  await sql`create unlogged table periods as ${periodsUpTo(today, days)}`.execute(tx)
}

/** `parts` is the number of copies of each invoice. */
async function makeSlots(tx: Tx, today: string, parts: number): Promise<void> {
  await sql`drop table if exists slots`.execute(tx)
  await sql`
    create unlogged table slots as
    select row_number() over (order by period_start, period_end, employer_id, pay_groups.number, part, copy) as slot, employer_id,
      pay_groups.frequency, pay_groups.number as pay_group, workers, period_start, period_end, part, parts, copy,
      hashint8extended(employer_id * 10 + pay_groups.number, period_end - date '2000-01-01') & 1152921504606846975 as batch
    from pay_groups join billed_employers using (employer_id)
    join periods on periods.frequency = pay_groups.frequency and side = employer_id % 6
    cross join lateral (select case when split then 2 + floor(pg_temp.chance(employer_id, 240) * 4.99)::int else 1 end as parts) shape
    cross join lateral generate_series(1, parts) as part
    cross join generate_series(1, ${parts}::int) as copy
    where period_start >= go_live_date and (active or (period_start < cancellation_date and period_end < ${today}::date - 7))`.execute(
    tx,
  )
}

/** `plus[1]` is the day itself or the next business day, `plus[1 + n]` the nth business day after it. */
async function bankDays(tx: Tx, today: string, back: number): Promise<void> {
  const from = addDays(today, -back)
  const days = Array.from({ length: daysBetween(from, addDays(today, 200)) }, (_, at) => addDays(from, at))
  const open = days.filter(isBusinessDay)
  let passed = 0
  const plus = days.slice(0, -30).map((day) => {
    const isOpen = open[passed] === day
    if (isOpen) passed += 1
    const later = open.slice(passed, passed + 8)
    return `{${[isOpen ? day : later[0], ...later].join(',')}}`
  })
  await sql`
    create unlogged table bank_days as
    select day, plus::date[] as plus from unnest(${days.slice(0, -30)}::date[], ${plus}::text[]) as given(day, plus)`.execute(tx)
  await sql`create unique index on bank_days (day)`.execute(tx)
}

/** The part of a split invoice that a department belongs to; people without a department come with the last one. */
export const departmentNumber = sql`coalesce(array_position(${[...departments]}::text[], department_code), 99)`
