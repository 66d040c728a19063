import { addTransaction, adjustBalance, listWorkPeriodBalances, type WorkPeriodBalance } from '#contract/work-periods.ts'
import { employeeIncludes } from '#contract/employees.ts'
import { canAddTransaction } from '#domain/additional-transaction.ts'
import { limitOf, type WithdrawTerms } from '#domain/work-period.ts'
import { existing } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import { byId, changing, type Loading, route } from '#server/http/route.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import type { Tx } from '#server/tables/database.ts'
import type { RowOrId } from '#server/tables/rows.ts'
import { type EmployeeRow, lockEmployee, oneEmployee, saveEmployee, toEmployee } from '#server/tables/employees.ts'
import {
  adjustEarned,
  balanceOf,
  type Cycle,
  grantTransaction,
  openPeriodOf,
  pageOfBalances,
  withdrawTermsOf,
} from '#server/tables/work-periods.ts'

/** An employee with the open work period. */
type WithCycle = EmployeeRow & { cycle: Cycle | null }
/** An employee with the balance in the path. */
type WithPeriod = EmployeeRow & { period: WorkPeriodBalance }

const termsOf = (tx: Tx, { employer_id, employer }: EmployeeRow): Promise<WithdrawTerms> =>
  withdrawTermsOf(tx, employer_id, (employer as NonNullable<typeof employer>).organization_id)

async function lockWithCycle(tx: Tx, actor: Actor, of: RowOrId): Promise<WithCycle | null> {
  const employee = await lockEmployee(tx, actor, of)
  if (!employee) return null
  const period = await openPeriodOf(tx, employee, await termsOf(tx, employee))
  return { ...employee, cycle: period?.cycle ?? null }
}

async function lockWithPeriod(tx: Tx, actor: Actor, of: RowOrId, balanceId: number): Promise<WithPeriod | null> {
  const employee = await lockEmployee(tx, actor, of)
  const period = employee && (await balanceOf(tx, employee, balanceId))
  return period ? { ...employee, period } : null
}

const employee = {
  entity: 'employee',
  locate: byId('employees'),
  answer: (row: EmployeeRow, actor: Actor) => toEmployee(row, actor, employeeIncludes),
}

export const routes = [
  route(listWorkPeriodBalances, async ({ tx, actor, params: { id }, query, services }) => {
    const employee = existing(await oneEmployee(tx, actor, id))
    const terms = await termsOf(tx, employee)
    const cursor = listCursor(services, `GET /employees/${id}/work-period-balances`, actor, query)
    const { rows, next } = await pageOfBalances(tx, employee, query, cursor.from)
    const open = await openPeriodOf(tx, employee, terms)
    const refusal = canAddTransaction({ ...employee, cycle: open?.cycle ?? null })
    const { requests_per_cycle: _, ...visible } = terms
    return {
      data: rows,
      lek: cursor.seal(next),
      current: open && {
        ...open.balance,
        requests: {
          per_cycle: open.cycle.per_cycle,
          granted: open.cycle.granted,
          used: open.cycle.used,
          left: open.cycle.left,
        },
        report_date: open.cycle.report_date,
      },
      terms: visible,
      additional_transaction: { allowed: refusal === null, code: refusal?.code ?? null, reason: refusal?.sentence ?? null },
    }
  }),

  changing({
    subject: ({ tx, actor, params, located }) => lockWithCycle(tx, actor, located ?? params.id),
    ...employee,
    snapshot: ({ cycle }: WithCycle) => ({ additional_transactions: cycle?.granted ?? 0 }),
  })(addTransaction, async ({ tx, actor, subject, body, now }) => {
    const { balance, cycle } = subject as WithCycle & { balance: { id: number }; cycle: Cycle }
    const { used } = cycle
    await grantTransaction(tx, actor, { employee: subject, balanceId: balance.id, used, notes: body.notes ?? null, now })
    const saved = await saveEmployee(tx, actor, subject, {}, now)
    const after = { ...saved, cycle: { ...cycle, granted: cycle.granted + 1, used_before_grant: used, left: 1 } }
    return { after }
  }),

  changing({
    subject: ({ tx, actor, params, located }: Loading<{ id: number; wpbId: number }>) =>
      lockWithPeriod(tx, actor, located ?? params.id, params.wpbId),
    ...employee,
    snapshot: ({ period }: WithPeriod) => ({
      work_period_balance_id: period.id,
      earned_amount: period.earned_amount,
      limit_amount: period.limit_amount,
      available_amount: period.available_amount,
    }),
  })(adjustBalance, async ({ tx, actor, subject, body, now }) => {
    const earned = body.earned_amount
    const limit = limitOf(earned, await termsOf(tx, subject))
    const period = await adjustEarned(tx, { ...subject, id: subject.period.id }, { earned, limit, now })
    const { id, earned_amount, limit_amount, taken_amount, pending_amount, available_amount } = period
    const balance = { id, earned_amount, limit_amount, taken_amount, pending_amount, available_amount }
    const after = { ...(await saveEmployee(tx, actor, subject, {}, now)), balance, period }
    return { after }
  }),
]
