import { type RawBuilder, sql } from 'kysely'

// Effects of employee files on known employees.

/** The employees that a file of the whole staff must name. */
export const staffOf = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.status`)} in ('IMPORTED', 'CREATED', 'ELIGIBLE', 'ACTIVE', 'PAUSED')`
/** Those of the staff who lose access if a file does not name them. */
export const losesUnnamed = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.status_before_pause`)} is distinct from 'INELIGIBLE'`

/** Value of `says` for a line with an unmapped status. */
export const notMapped = 'NOT_MAPPED'

/** The status of an employed person: ACTIVE with a user. */
const eligible = sql`case when e.user_id is null then 'ELIGIBLE' else 'ACTIVE' end`
/** Employees `e` that no file changes. */
export const untouched = sql`e.status in ('OFFCYCLE_PAID', 'DELETED')`
/** The new status of a known employee `e`, from the status that the line `s` `says`. */
export const becomes = sql`case when s.says = 'TERMINATED' then 'TERMINATED' when e.status = 'PAUSED' then 'PAUSED'
  when s.says = 'INELIGIBLE' then 'INELIGIBLE' else ${eligible} end`
/** The status that a paused employee returns to, derived from the last file (docs/rules/employees.md). */
export const afterPause = sql`case when s.says = 'TERMINATED' or e.status <> 'PAUSED' then null when s.says = 'INELIGIBLE' then 'INELIGIBLE' else ${eligible} end`
