import { sql } from 'kysely'
import { limitOf } from '#domain/work-period.ts'
import type { Tx } from '#server/tables/database.ts'
import { adjustEarned, withdrawTermsOf } from '#server/tables/work-periods.ts'

/**
 * Lets cents that were earned on a day count in the work period of that day, or no more where they are below zero. A day of
 * no open period changes nothing.
 */
export async function moveEarned(
  tx: Tx,
  { employee_id, work_date }: { employee_id: number; work_date: string },
  cents: number,
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ id: number; earned_amount: number; employer_id: number; organization_id: number }>`
    select balance.id, balance.earned_amount, employee.employer_id, employer.organization_id
    from work_period_balances balance join employees employee on employee.id = balance.employee_id
    join employers employer on employer.id = employee.employer_id
    where balance.employee_id = ${employee_id} and balance.is_open
      and ${work_date}::date between balance.work_period_start and balance.work_period_end for update of balance`.execute(tx)
  const [open] = rows
  if (!open) return
  const earned = Math.max(0, open.earned_amount + cents)
  const terms = await withdrawTermsOf(tx, open.employer_id, open.organization_id)
  await adjustEarned(tx, open.id, { earned, limit: limitOf(earned, terms), now })
}
