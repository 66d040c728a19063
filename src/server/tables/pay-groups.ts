import { type Generated, type RawBuilder, sql } from 'kysely'
import type { PayGroup, PayGroupValues } from '#contract/pay-groups.ts'
import { addDays } from '#domain/calendar.ts'
import type { PayFrequency } from '#domain/pay-frequency.ts'
import { type PayCalendar, periodNumberOn, periodOf } from '#domain/pay-calendar.ts'
import type { AdjustmentType, MonthEnd } from '#domain/pay-group.ts'
import type { Actor } from '#server/access/actor.ts'
import { openTo } from '#server/access/scope.ts'
import { businessDate } from '#server/tables/business-date.ts'
import type { Stamped, Tx } from '#server/tables/database.ts'
import { selectAll, selectOne } from '#server/postgres/select.ts'
import { insertRow, isRow, type RowKey } from '#server/tables/rows.ts'
import { type Candidate, isIn, type Share, shareOf } from '#server/tables/shares.ts'

/** The table `pay_groups`; dates `yyyy-MM-dd`. */
export interface PayGroupTable extends Stamped {
  employer_id: number
  name: string
  external_code: string
  payroll_frequency: PayFrequency
  adjustment_type: AdjustmentType
  month_end: Generated<MonthEnd>
  first_start_date: string
  first_end_date: string
  first_report_date: string
  first_payment_date: string
  second_start_date: string | null
  second_end_date: string | null
  second_report_date: string | null
  second_payment_date: string | null
  derived: Generated<boolean>
}

/** The table `pay_periods`. */
export interface PayPeriodTable {
  pay_group_id: number
  start_date: string
  end_date: string
  report_date: string
  payment_date: string
}

declare module '#server/tables/database.ts' {
  interface Database {
    pay_groups: PayGroupTable
    pay_periods: PayPeriodTable
  }
}

/** Periods exist this many days ahead; the clock adds more. */
const daysAhead = 370

const periodJson = (alias: string, prefix = ''): RawBuilder<unknown> =>
  sql`json_build_object(${sql.join(
    ['start_date', 'end_date', 'report_date', 'payment_date'].flatMap((name) => [
      sql.lit(name),
      sql.ref(`${alias}.${prefix}${name}`),
    ]),
  )})`

/** The pay groups `g`, of employers `e`, that match; a null actor is the service, which may see all. */
const read = async (tx: Tx, actor: Actor | null, condition: RawBuilder<unknown>, lock = false): Promise<PayGroup[]> => {
  const today = await businessDate(tx)
  return selectAll<PayGroup>(tx)`
    select g.id, e.organization_id, g.employer_id, e.internal_name as employer_name, g.name, g.external_code, g.payroll_frequency,
      g.adjustment_type, g.month_end, ${periodJson('g', 'first_')} as first_work_period,
      case when g.second_start_date is not null then ${periodJson('g', 'second_')} end as second_work_period, g.derived,
      coalesce((select json_agg(${periodJson('p')} order by p.start_date) from (select * from pay_periods p
        where p.pay_group_id = g.id and p.end_date >= ${today} order by start_date limit 6) p), '[]') as periods, g.version
    from pay_groups g join employers e on e.id = g.employer_id
    where ${condition} and ${actor ? openTo(actor, sql.ref('g.employer_id')) : sql`true`}
    order by e.name_key, e.id, fold(g.name), g.id ${lock ? sql`for update of g` : sql``}`
}

/** The pay groups of an organization, an employer, or an employer of an organization, that are open to the person. */
export const payGroupsOf = (
  tx: Tx,
  actor: Actor,
  { organization, employer }: { organization: number | undefined; employer: number | undefined },
): Promise<PayGroup[]> =>
  read(
    tx,
    actor,
    sql`(${organization ?? null}::bigint is null or e.organization_id = ${organization ?? null})
      and (${employer ?? null}::bigint is null or g.employer_id = ${employer ?? null})`,
  )

/** One pay group, if it is open to the person, or to the service (null); with `lock` nobody else changes it before the commit. */
export const payGroupOf = async (tx: Tx, actor: Actor | null, id: number, { lock = false } = {}): Promise<PayGroup | null> =>
  (await read(tx, actor, sql`g.id = ${id}`, lock))[0] ?? null

/** The current period of every pay group that is open to the person. */
export async function currentPeriods(tx: Tx, actor: Actor) {
  const today = await businessDate(tx)
  return selectAll<PayPeriodTable & { employer_id: number; name: string; external_code: string }>(
    tx,
  )`select p.pay_group_id, g.employer_id, g.name, g.external_code, p.start_date, p.end_date, p.report_date, p.payment_date
    from pay_groups g join pay_periods p on p.pay_group_id = g.id
    where p.start_date <= ${today} and p.end_date >= ${today} and ${openTo(actor, sql.ref('g.employer_id'))}
    order by g.employer_id, g.id`
}

/** The first period after a day of the confirmed pay group with a company code; null if there is none. */
export async function periodAfter(tx: Tx, employer: number, code: string, day: string): Promise<PayPeriodTable | null> {
  return selectOne<PayPeriodTable>(tx)`select p.* from pay_groups g join pay_periods p on p.pay_group_id = g.id
    where g.employer_id = ${employer} and g.external_code = ${code} and not g.derived and p.start_date > ${day}
    order by p.start_date limit 1`
}

/**
 * Locks the pay group of an invoice against changes until the commit. Call it before locking an invoice, since changes of a pay
 * group lock its invoices after it.
 */
export const keepPayGroupOf = (tx: Tx, invoice: RowKey): Promise<unknown> =>
  sql`select from invoices i join pay_groups g on g.employer_id = i.employer_id and g.external_code = i.company_code
    where ${isRow('i', invoice)} for share of g`.execute(tx)

/** Whether another pay group of the employer has this code. */
export async function isCodeTaken(tx: Tx, employer: number, code: string, but: number | null): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select exists (select from pay_groups where employer_id = ${employer}
    and external_code = ${code} and id is distinct from ${but}) as taken`.execute(tx)
  return rows[0]?.taken ?? false
}

/**
 * The last day of the periods of a pay group that must stay, since they have an invoice past DRAFT (docs/rules/calendars.md).
 * Null if there is none.
 */
export async function billedUntil(tx: Tx, employer: number, code: string): Promise<string | null> {
  const { rows } = await sql<{ until: string | null }>`select max(period_end) as until from invoices
    where employer_id = ${employer} and company_code = ${code} and status <> 'DRAFT'`.execute(tx)
  return rows[0]?.until ?? null
}

/** The DRAFT invoices of a pay group, by department, earliest first. */
export async function draftsOf(tx: Tx, { employer_id, external_code }: Pick<PayGroup, 'employer_id' | 'external_code'>) {
  return selectAll<{
    id: number
    department_code: string | null
    period_start: string
    period_end: string
    report_date: string
  }>(tx)`select id, department_code, period_start, period_end, report_date from invoices
    where employer_id = ${employer_id} and company_code = ${external_code} and status = 'DRAFT'
    order by department_code nulls first, period_start, id`
}

/**
 * Pay groups of active employers without a DRAFT invoice: confirmed ones without any invoice whose calendar has started, and
 * those whose invoices stopped while their employer was not active; a derived one next to a confirmed one is finished. Looks at all
 * groups of a share, or at one.
 */
export function payGroupsToBegin(tx: Tx, today: string, share: Share, groupId?: number): Promise<Candidate[]> {
  const looked = groupId === undefined ? sql`true` : sql`g.id = ${groupId}`
  return selectAll<Candidate>(tx)`
    select g.id::text as key, ${shareOf('e.organization_id')} as share from pay_groups g join employers e on e.id = g.employer_id
    where ${looked} and e.status = 'ACTIVE' and ${isIn(share, 'e.organization_id')} and not exists (select from invoices i
        where i.employer_id = g.employer_id and i.company_code = g.external_code and i.status = 'DRAFT')
      and coalesce(e.go_live_date <= ${today}::date, true) and (not g.derived and g.first_start_date <= ${today}
        or exists (select from invoices i where i.employer_id = g.employer_id and i.company_code = g.external_code)
          and (not g.derived or not exists (select from pay_groups own where own.employer_id = g.employer_id and not own.derived)))
    order by g.id`
}

/** The settings from which the periods of a pay group are calculated. */
export const calendarOf = (one: Omit<PayGroupValues, 'name' | 'external_code'>): PayCalendar => ({
  payroll_frequency: one.payroll_frequency,
  adjustment_type: one.adjustment_type,
  month_end: one.month_end,
  first: one.first_work_period,
  second: one.second_work_period,
})

const columnsOf = ({ first_work_period: first, second_work_period: second, ...rest }: PayGroupValues) => ({
  ...rest,
  first_start_date: first.start_date,
  first_end_date: first.end_date,
  first_report_date: first.report_date,
  first_payment_date: first.payment_date,
  second_start_date: second?.start_date ?? null,
  second_end_date: second?.end_date ?? null,
  second_report_date: second?.report_date ?? null,
  second_payment_date: second?.payment_date ?? null,
})

/** Adds a pay group without periods; returns its id. */
export async function insertPayGroup(tx: Tx, employerId: number, values: PayGroupValues): Promise<number> {
  return insertRow(tx, 'pay_groups', { employer_id: employerId, ...columnsOf(values) })
}

/** Changes a pay group; its periods stay as they are. */
export const updatePayGroup = (tx: Tx, id: number, values: PayGroupValues, derived: boolean): Promise<unknown> =>
  tx
    .updateTable('pay_groups')
    .set({ ...columnsOf(values), derived, updated_at: sql<Date>`now()`, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .execute()

/**
 * Creates the periods of a pay group a year ahead, replacing those after `kept`, the last day of the periods that stay; null
 * replaces all of them, from the first work period on.
 */
export async function makePeriods(tx: Tx, id: number, calendar: PayCalendar, kept: string | null, today?: string): Promise<void> {
  await sql`delete from pay_periods where pay_group_id = ${id} and (${kept}::date is null or end_date > ${kept})`.execute(tx)
  const until = addDays(today ?? (await businessDate(tx)), daysAhead)
  const periods: PayPeriodTable[] = []
  for (let number = kept ? periodNumberOn(calendar, addDays(kept, 1)) : 0; ; number += 1) {
    const { start_date, end_date, report_date, payment_date } = periodOf(calendar, number)
    if (start_date > until) break
    periods.push({ pay_group_id: id, start_date, end_date, report_date, payment_date })
  }
  if (periods.length === 0) return
  await sql`insert into pay_periods (pay_group_id, start_date, end_date, report_date, payment_date)
    select * from json_populate_recordset(null::pay_periods, ${JSON.stringify(periods)})`.execute(tx)
}

/** Pay groups whose periods no longer reach a year ahead; the clock extends them. Derived ones wait for a person. */
export function payGroupsToExtend(tx: Tx, today: string, share: Share): Promise<Candidate[]> {
  return selectAll<Candidate>(tx)`
    select g.id::text as key, ${shareOf('e.organization_id')} as share from pay_groups g join employers e on e.id = g.employer_id
    where not g.derived and ${isIn(share, 'e.organization_id')} and not exists (
      select from pay_periods p where p.pay_group_id = g.id and p.end_date >= ${addDays(today, daysAhead)}) order by g.id`
}

/** Adds the next periods of a pay group; returns whether there were any. */
export async function extendPayGroup(tx: Tx, id: number, today: string): Promise<boolean> {
  const one = await payGroupOf(tx, null, id, { lock: true })
  if (!one || one.derived) return false
  const { rows } = await sql<{ last: string | null }>`
    select max(end_date) as last from pay_periods where pay_group_id = ${id}`.execute(tx)
  const last = rows[0]?.last ?? null
  if (last !== null && last >= addDays(today, daysAhead)) return false
  await makePeriods(tx, id, calendarOf(one), last, today)
  return true
}
