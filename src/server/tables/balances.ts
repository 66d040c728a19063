import { type Generated, sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'

/** The table `balances`: the open work period of an employee; amounts in cents. */
export interface BalanceTable {
  employee_id: number
  work_period_start: string
  work_period_end: string
  earned_amount: number
  taken_amount: number
  pending_amount: number
  available_amount: number
  version: Generated<number>
}

declare module '#server/tables/database.ts' {
  interface Database {
    balances: BalanceTable
  }
}

/** Leaves nothing to withdraw in the open work period of an employee; what was taken stays, and is billed as before. */
export const stopWithdrawals = async (tx: Tx, employeeId: number): Promise<void> =>
  void (await sql`update balances set available_amount = 0, version = version + 1
    where employee_id = ${employeeId} and available_amount > 0`.execute(tx))
