import { sql } from 'kysely'
import { openWholes } from '#server/access/scope.ts'
import type { Reader } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { selectOne } from '#server/postgres/select.ts'

/** A count in one company, for one part of a measure; cents. */
export interface DashboardFigureTable {
  company_type: 'ALL' | 'WHOLE' | 'EMPLOYER' | 'ORGANIZATION' | 'NONE'
  company_id: number
  measure: string
  part: string
  count: number
  amount: number
}

/** The time when the figures were counted; one row. */
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

/** A figure for a person: the sum over the companies that are open to them. */
export type Figure = Pick<DashboardFigureTable, 'measure' | 'part' | 'count' | 'amount'>

/** The time when the figures were counted, and their business date; null before the first count. */
export async function roundOfFigures(tx: Tx): Promise<Omit<DashboardRoundTable, 'one'> | null> {
  return selectOne<DashboardRoundTable>(tx)`select counted_at, business_date from dashboard_rounds`
}

/** The figures of the companies that are currently open to the person, added up. */
export async function figuresFor(tx: Tx, actor: Reader): Promise<Figure[]> {
  const open = openWholes(actor)
  const { rows } = await (open
    ? sql<Figure>`
        select measure, part, sum(count)::int as count, sum(amount)::bigint as amount
        from ${open} open join dashboard_figures using (company_type, company_id) group by measure, part`
    : sql<Figure>`select measure, part, count, amount from dashboard_figures where company_type = 'ALL'`
  ).execute(tx)
  return rows
}
