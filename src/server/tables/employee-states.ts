import { type RawBuilder, sql } from 'kysely'
import { type PausedLonger, pausedLonger, type ReportsIn, reportsIn } from '#domain/employee.ts'
import { startOfDay } from '#server/tables/conditions.ts'

/** Whether an employee `e` was paused more than that number of days ago, counted in business days of the calendar. */
export const pausedSince = (value: PausedLonger): RawBuilder<boolean> =>
  sql<boolean>`e.paused_at < ${startOfDay(sql`(business_date() - ${pausedLonger[value]}::int)`)}`

/**
 * Whether the open pay period of an employee `e` has its report date on a day, by the calendars of the employer's pay groups. If
 * several of them have the period, the earliest counts, as for withdrawal limits.
 */
export const reporting = (value: ReportsIn): RawBuilder<boolean> => sql<boolean>`e.id in (
  select balance.employee_id from pay_periods period join pay_groups pay on pay.id = period.pay_group_id
  join employees paid on paid.employer_id = pay.employer_id and paid.pay_frequency = pay.payroll_frequency
  join work_period_balances balance on balance.organization_id = paid.organization_id and balance.employee_id = paid.id
    and balance.is_open and balance.work_period_end = period.end_date
  where period.report_date = business_date() + ${reportsIn[value]}::int and not exists (
    select from pay_periods earlier join pay_groups other on other.id = earlier.pay_group_id
    where other.employer_id = pay.employer_id and other.payroll_frequency = pay.payroll_frequency
      and earlier.end_date = period.end_date and earlier.report_date < period.report_date))`
