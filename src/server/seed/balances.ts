import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'
import { earnedIn, limitBy, termsOfEmployers } from '#server/tables/work-period-terms.ts'

/** Fee of an advance at an employer, in cents. */
export const feeOf = (employer: RawBuilder<unknown>) => sql`(array[0, 299, 349, 399])[1 + (${employer} % 4)::int]`

/**
 * Creates the open work period of linked and paid employees: the amount earned up to today, and the outstanding advances (cents),
 * as whole advances with fees and within the requests of the cycle. Without an invoice for them there are no advances.
 */
export async function seedBalances(tx: Tx, today: string): Promise<void> {
  await sql`
    insert into work_period_balances (organization_id, employee_id, work_period_start, work_period_end, earned_amount, limit_amount,
      taken_amount, billed_amount, pending_amount)
    with terms as materialized (${termsOfEmployers})
    select organization_id, id, period_start, period_end, earned, allowed, taken, taken, pending
    from (
      select made.organization_id, made.id, terms.*, period_start, period_end, ${feeOf(sql.ref('made.employer_id'))} as fee,
        ${earnedIn(sql`(${today}::date - period_start + 1)`, sql.ref('salaried'), sql.ref('rate'))} as earned,
        pg_temp.chance(made.id, 51) as share, pg_temp.chance(made.id, 52) as open,
        terms.active and go_live_date <= period_start as billed
      from made join terms using (employer_id)
      join periods on periods.frequency = made.frequency and side = made.employer_id % 6 and period_end >= ${today}::date
      where linked and status in ('ACTIVE', 'PAUSED') and rate is not null
    ) earner
    cross join lateral (select ${limitBy(sql.ref('earned'))} as allowed) limits
    cross join lateral (select least(requests_per_cycle, 1 + floor(pg_temp.chance(id, 53) * 2)::int) as advances) asked
    cross join lateral (select case when billed and share > 0.55
      then floor((allowed * (share - 0.55) / 0.45 / advances - fee) / 500)::bigint * 500 else 0 end as each) one
    cross join lateral (select case when each >= 2000 then advances * (each + fee) else 0 end as taken) out
    cross join lateral (select 2000 + 500 * floor(open * 200)::bigint + fee as next) wanted
    cross join lateral (select case when billed and open < 0.08 and taken + next <= allowed
      and case when taken > 0 then advances else 0 end < requests_per_cycle then next else 0 end as pending) waiting
    order by id`.execute(tx)
}
