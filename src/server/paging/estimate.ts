import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'

/** Planner cost below which a count takes some tens of milliseconds. */
export const cheapCount = 30_000

/** The planner's estimates for a statement: number of rows, and cost. */
export async function estimate(tx: Tx, statement: RawBuilder<unknown>): Promise<{ rows: number; cost: number }> {
  const { rows } = await sql<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number; 'Total Cost': number } }[] }>`
    explain (format json) ${statement}`.execute(tx)
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
  return { rows: plan?.['Plan Rows'] ?? 0, cost: plan?.['Total Cost'] ?? 0 }
}
