import { sql } from 'kysely'
import { refusedForGood } from '#domain/employee.ts'
import { limitOf } from '#domain/work-period.ts'
import type { Tx } from '#server/tables/database.ts'
import { isRow } from '#server/tables/rows.ts'
import { adjustEarned, withdrawTermsOf } from '#server/tables/work-periods.ts'

interface OpenBalance {
  id: number
  earned_amount: number
  taken_back_beyond: number
  limit_amount: number
  employer_id: number
  organization_id: number
  status: string
}

/**
 * Adds cents earned on a day to the work period of that day, or subtracts them; the part that would go below zero is stored, so
 * that undoing restores the balance. A day outside any open period changes nothing. An employee who left for good keeps
 * the earnings but cannot withdraw them. The version of the employee changes, so that an adjustment based on an older
 * balance gets a conflict.
 */
export async function moveEarned(
  tx: Tx,
  { organization_id, employee_id, work_date }: { organization_id: number; employee_id: number; work_date: string },
  cents: number,
  now: Date,
): Promise<void> {
  // Locks the employee first, as every command does, then reads the balance under that lock.
  const employee = { id: employee_id, organization_id }
  await sql`select from employees e where ${isRow('e', employee)} for update`.execute(tx)
  const { rows } = await sql<OpenBalance>`
    select balance.id, balance.organization_id, balance.earned_amount, balance.taken_back_beyond, balance.limit_amount,
      employee.employer_id, employee.status
    from work_period_balances balance
    join employees employee on employee.id = balance.employee_id and employee.organization_id = balance.organization_id
    where balance.employee_id = ${employee_id} and balance.organization_id = ${organization_id} and balance.is_open
      and ${work_date}::date between balance.work_period_start and balance.work_period_end for update of balance`.execute(tx)
  const [open] = rows
  if (!open) return
  const balanceCents = open.earned_amount - open.taken_back_beyond + cents
  const [earned, beyond] = [Math.max(0, balanceCents), Math.max(0, -balanceCents)]
  const terms = await withdrawTermsOf(tx, open.employer_id, open.organization_id)
  const limit = refusedForGood(open) ? open.limit_amount : limitOf(earned, terms)
  await adjustEarned(tx, open, { earned, limit, beyond, now })
  await sql`update employees e set version = e.version + 1, updated_at = ${now} where ${isRow('e', employee)}`.execute(tx)
}
