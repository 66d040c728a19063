import { sql } from 'kysely'
import { openWholes } from '#server/access/scope.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'

/** What was counted in one company, of one part of a measure; cents. */
export interface DashboardFigureTable {
  company_type: 'ALL' | 'WHOLE' | 'EMPLOYER' | 'ORGANIZATION' | 'NONE'
  company_id: number
  measure: string
  part: string
  count: number
  amount: number
}

/** When the figures were counted; one row. */
export interface DashboardRoundTable {
  one: boolean
  counted_at: Date
  business_date: string
}

declare module '#server/tables/database.ts' {
  interface Database {
    dashboard_figures: DashboardFigureTable
    dashboard_rounds: DashboardRoundTable
  }
}

/** A figure as a person may know it: of the companies that are open to them together. */
export type Figure = Pick<DashboardFigureTable, 'measure' | 'part' | 'count' | 'amount'>

/** When the figures were counted, and of which business date they tell; null before the first time. */
export async function roundOfFigures(tx: Tx): Promise<Omit<DashboardRoundTable, 'one'> | null> {
  const { rows } = await sql<DashboardRoundTable>`select counted_at, business_date from dashboard_rounds`.execute(tx)
  return rows[0] ?? null
}

/** The figures of the companies that are open to the person at this moment, added up. */
export async function figuresFor(tx: Tx, actor: Pick<Actor, 'id' | 'kind'>): Promise<Figure[]> {
  const open = openWholes(actor)
  const { rows } = await (open
    ? sql<Figure>`
        select measure, part, sum(count)::int as count, sum(amount)::bigint as amount
        from ${open} open join dashboard_figures using (company_type, company_id) group by measure, part`
    : sql<Figure>`select measure, part, count, amount from dashboard_figures where company_type = 'ALL'`
  ).execute(tx)
  return rows
}
