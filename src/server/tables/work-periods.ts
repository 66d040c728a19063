import { type Generated, type GeneratedAlways, sql } from 'kysely'
import type { listWorkPeriodBalances, WorkPeriodBalance } from '#contract/work-periods.ts'
import type { QueryOf } from '#contract/define.ts'
import { addBusinessDays } from '#domain/calendar.ts'
import type { WithdrawLimitType } from '#domain/configuration.ts'
import { usesRequest } from '#domain/transaction.ts'
import { type Requests, requestsLeft, type WithdrawTerms } from '#domain/work-period.ts'
import type { Actor } from '#server/access/actor.ts'
import { type Position, scan, type Start } from '#server/paging/keyset.ts'
import { businessDate } from '#server/tables/business-date.ts'
import { effectiveRow } from '#server/tables/configurations.ts'
import type { Tx } from '#server/tables/database.ts'
import { selectAll } from '#server/postgres/select.ts'
import { isRow, organizationsOf, type RowKey } from '#server/tables/rows.ts'

/**
 * The table `work_period_balances`: one row per employee and pay period, the open one and finished ones; amounts in cents. Taken
 * and pending are the sums of its transactions, maintained by the database.
 */
export interface WorkPeriodBalanceTable {
  organization_id: number
  id: Generated<number>
  employee_id: number
  work_period_start: string
  work_period_end: string
  is_open: Generated<boolean>
  earned_amount: number
  limit_amount: number
  taken_amount: GeneratedAlways<number>
  pending_amount: GeneratedAlways<number>
  available_amount: GeneratedAlways<number>
  /** The part of the taken amount that is on invoices. */
  billed_amount: Generated<number>
  /** The subtracted amount in excess of the earned amount. */
  taken_back_beyond: Generated<number>
  updated_at: Generated<Date>
  version: Generated<number>
}

/** The table `additional_transactions`: requests that staff granted beyond those of the cycle. Rows are only added. */
export interface AdditionalTransactionTable {
  organization_id: number
  id: Generated<number>
  employee_id: number
  work_period_balance_id: number
  granted_by: string
  granted_by_name: string
  granted_at: Generated<Date>
  notes: string | null
  /** Number of requests used in the work period when it was granted. */
  used_before: number
}

declare module '#server/tables/database.ts' {
  interface Database {
    work_period_balances: WorkPeriodBalanceTable
    additional_transactions: AdditionalTransactionTable
  }
}

const columns = sql`e.id, e.work_period_start as period_start, e.work_period_end as period_end, e.is_open, e.earned_amount,
  e.limit_amount, e.taken_amount, e.pending_amount, e.available_amount, e.version`

/** A page of the balances of an employee; the caller checks access to the employee. */
export async function pageOfBalances(
  tx: Tx,
  employee: RowKey,
  query: QueryOf<typeof listWorkPeriodBalances>,
  from: Start,
): Promise<{ rows: WorkPeriodBalance[]; next: Position | null }> {
  const { rows, next } = await scan({
    segments: [{ key: sql`e.work_period_start`, descending: query['sort-order'] === 'desc' }],
    from,
    direction: query.direction,
    limit: query.limit,
    find: async (where, order, limit) =>
      (
        await sql<WorkPeriodBalance & { key: unknown }>`select ${columns}, ${order.key} as key from work_period_balances e
          where e.organization_id = ${employee.organization_id} and e.employee_id = ${employee.id} and ${where} order by ${order.whole} limit ${limit}`.execute(
          tx,
        )
      ).rows,
  })
  return { rows: rows.map(({ key: _, ...row }) => row), next }
}

/** Balances of an employee by their ids, unordered; those of others are left out. */
export async function balancesOf(tx: Tx, employee: RowKey, ids: readonly number[]): Promise<WorkPeriodBalance[]> {
  return selectAll<WorkPeriodBalance>(tx)`
    select ${columns} from work_period_balances e
    where e.id = any(${ids}::bigint[]) and e.organization_id = ${employee.organization_id} and e.employee_id = ${employee.id}`
}

/** One balance of an employee; null if it does not exist or belongs to another employee. */
export const balanceOf = async (tx: Tx, employee: RowKey, id: number): Promise<WorkPeriodBalance | null> =>
  (await balancesOf(tx, employee, [id]))[0] ?? null

/** The withdrawal terms of an employer: its own configuration, else its organization's, else nothing can be withdrawn. */
export async function withdrawTermsOf(tx: Tx, employerId: number, organizationId: number): Promise<WithdrawTerms> {
  const { rows } = await sql<{
    withdraw_limit_type: WithdrawLimitType | null
    withdraw_limit_amount: number | null
    withdraw_amount_max: number | null
    requests_per_cycle: number | null
  }>`select own.withdraw_limit_type, own.withdraw_limit_amount, own.withdraw_amount_max, own.requests_per_cycle
    from (select) one left join ${effectiveRow('configurations', employerId, organizationId)} own on true`.execute(tx)
  const [own] = rows
  return {
    withdraw_limit_type: own?.withdraw_limit_type ?? 'PERCENTAGE',
    withdraw_limit_amount: own?.withdraw_limit_amount ?? 0,
    withdraw_amount_max: own?.withdraw_amount_max ?? 0,
    requests_per_cycle: own?.requests_per_cycle ?? 0,
  }
}

/** The requests of the open work period, and the last date for withdrawals in it. */
export interface Cycle extends Requests {
  left: number
  report_date: string
  today: string
}

/** Business days between the end of a pay period and its report date, without a pay group. */
const usualReportDays = 2

/** The open work period of an employee. */
interface OpenPeriod {
  balance: WorkPeriodBalance
  cycle: Cycle
}

/** The open work periods of employees with their requests, by employee id; employees without one are left out. */
export async function openPeriodsOf(
  tx: Tx,
  employees: readonly (RowKey & { terms: WithdrawTerms })[],
): Promise<Map<number, OpenPeriod>> {
  const { rows } = await sql<
    WorkPeriodBalance & Omit<Requests, 'per_cycle'> & { employee_id: number; report_date: string | null }
  >`
    select e.employee_id, ${columns},
      (select count(*)::int from additional_transactions given
        where given.organization_id = e.organization_id and given.work_period_balance_id = e.id) as granted,
      (select given.used_before from additional_transactions given
        where given.organization_id = e.organization_id and given.work_period_balance_id = e.id
        order by given.id desc limit 1) as used_before_grant,
      (select count(*)::int from transactions t where t.organization_id = e.organization_id and t.work_period_balance_id = e.id
        and t.status in (${sql.join([...usesRequest])})) as used,
      (select min(p.report_date) from employees join pay_groups g using (employer_id) join pay_periods p on p.pay_group_id = g.id
        where employees.organization_id = e.organization_id and employees.id = e.employee_id
          and g.payroll_frequency = employees.pay_frequency and p.end_date = e.work_period_end) as report_date
    from work_period_balances e where e.employee_id = any(${employees.map(({ id }) => id)}::bigint[])
      and e.organization_id = any(${organizationsOf(employees)}::bigint[]) and e.is_open`.execute(tx)
  const terms = new Map(employees.map((each) => [each.id, each.terms]))
  const today = await businessDate(tx)
  return new Map(
    rows.map(({ employee_id, granted, used, used_before_grant, report_date, ...balance }) => {
      const requests = { per_cycle: terms.get(employee_id)?.requests_per_cycle ?? 0, granted, used, used_before_grant }
      const cycle = {
        ...requests,
        left: requestsLeft(requests),
        report_date: report_date ?? addBusinessDays(balance.period_end, usualReportDays),
        today,
      }
      return [employee_id, { balance, cycle }]
    }),
  )
}

/** The open work period of an employee with its requests; null if none is open. */
export const openPeriodOf = async (tx: Tx, employee: RowKey, terms: WithdrawTerms): Promise<OpenPeriod | null> =>
  (await openPeriodsOf(tx, [{ ...employee, terms }])).get(employee.id) ?? null

/** Grants one request beyond the `used` ones of a work period of a locked employee. */
export const grantTransaction = (
  tx: Tx,
  actor: Pick<Actor, 'id' | 'name'>,
  of: { employee: RowKey; balanceId: number; used: number; notes: string | null; now: Date },
): Promise<unknown> =>
  sql`
    insert into additional_transactions (organization_id, employee_id, work_period_balance_id, granted_by, granted_by_name, granted_at,
      notes, used_before)
    select organization_id, employee_id, id, ${actor.id}, ${actor.name}, ${of.now}::timestamptz, ${of.notes}, ${of.used}::int
    from work_period_balances
    where id = ${of.balanceId} and organization_id = ${of.employee.organization_id} and employee_id = ${of.employee.id}`.execute(
    tx,
  )

/**
 * Changes the earned amount and the limit of a work period; returns the balance afterwards. `beyond` is the amount subtracted in
 * excess of the earned amount, which later earnings offset first.
 */
export async function adjustEarned(
  tx: Tx,
  of: RowKey,
  { earned, limit, beyond = 0, now }: { earned: number; limit: number; beyond?: number; now: Date },
): Promise<WorkPeriodBalance> {
  const { rows } = await sql<WorkPeriodBalance>`
    update work_period_balances e set earned_amount = ${earned}, taken_back_beyond = ${beyond}, limit_amount = ${limit}, updated_at = ${now},
      version = e.version + 1 where ${isRow('e', of)} returning ${columns}`.execute(tx)
  return rows[0] as WorkPeriodBalance
}

/** Sets the available amount of the open work period of an employee to zero; the taken amount stays and is billed as usual. */
export const stopWithdrawals = async (tx: Tx, { id, organization_id }: RowKey): Promise<void> =>
  void (await sql`update work_period_balances set limit_amount = taken_amount, updated_at = now(), version = version + 1
    where employee_id = ${id} and organization_id = ${organization_id} and is_open and available_amount > 0`.execute(tx))
