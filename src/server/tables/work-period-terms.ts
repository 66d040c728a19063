import { type RawBuilder, sql } from 'kysely'

/**
 * The current terms of each employer: `withdraw_limit_type`, `withdraw_limit_amount`, `withdraw_amount_max`,
 * `requests_per_cycle`, `active`, `go_live_date` and `cancellation_date`, by `employer_id`.
 */
export const termsOfEmployers = sql`
  select employers.id as employer_id, employers.status = 'ACTIVE' as active, go_live_date, cancellation_date,
    coalesce(own.withdraw_limit_type, theirs.withdraw_limit_type) as withdraw_limit_type,
    coalesce(own.withdraw_limit_amount, theirs.withdraw_limit_amount, 0) as withdraw_limit_amount,
    coalesce(own.withdraw_amount_max, theirs.withdraw_amount_max, 0) as withdraw_amount_max,
    coalesce(own.requests_per_cycle, theirs.requests_per_cycle, 0) as requests_per_cycle
  from employers left join configurations own on own.employer_id = employers.id
  left join configurations theirs on theirs.organization_id = employers.organization_id`

/** Whether a time entry with this alias counts as earned; matches `countsAsEarned` of the domain. */
export const isEarned = (alias: string) => sql`${sql.ref(`${alias}.status`)} in ('APPROVED', 'AUTO')`

/** The withdrawal limit for `earned` by the terms in scope; matches `limitOf` of the domain. */
export const limitBy = (earned: RawBuilder<unknown>) => sql`least(
  case withdraw_limit_type when 'PERCENTAGE' then ${earned} * withdraw_limit_amount / 10000 else withdraw_limit_amount end,
  withdraw_amount_max)`

/** Cents that 40 hours a week earn in `days` days at the rate of an employee. */
export const earnedIn = (days: RawBuilder<unknown>, salaried: RawBuilder<unknown>, rate: RawBuilder<unknown>) =>
  sql`(case when ${salaried} then ${rate} / 2080 else ${rate} end * (${days} * 40 / 7))`
