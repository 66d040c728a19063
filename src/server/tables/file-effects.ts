import { type RawBuilder, sql } from 'kysely'

// What files of employees do to known ones.

/** Whom a file of the whole staff has to name. */
export const staffOf = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.status`)} in ('IMPORTED', 'CREATED', 'ELIGIBLE', 'ACTIVE', 'PAUSED')`
/** Of the staff, those who lose something where a file does not name them. */
export const losesUnnamed = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.status_before_pause`)} is distinct from 'INELIGIBLE'`

/** What a line `says` whose status nobody mapped. */
export const notMapped = 'NOT_MAPPED'

/** The status of somebody who is employed: ACTIVE with a user. */
const eligible = sql`case when e.user_id is null then 'ELIGIBLE' else 'ACTIVE' end`
/** Whom no file changes, of employees `e`. */
export const untouched = sql`e.status in ('OFFCYCLE_PAID', 'DELETED')`
/** What a line makes of a known employee `e`, by what it `says` of it in `s`. */
export const becomes = sql`case when s.says = 'TERMINATED' then 'TERMINATED' when e.status = 'PAUSED' then 'PAUSED'
  when s.says = 'INELIGIBLE' then 'INELIGIBLE' else ${eligible} end`
/** What a paused one goes back to, judged again against the last file (rules 8). */
export const afterPause = sql`case when s.says = 'TERMINATED' or e.status <> 'PAUSED' then null when s.says = 'INELIGIBLE' then 'INELIGIBLE' else ${eligible} end`
