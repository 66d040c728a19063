import type { Generated } from 'kysely'

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
