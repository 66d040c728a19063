import { sql } from 'kysely'
import { lateFileRule } from '#domain/late-file.ts'
import { businessDay } from '#server/tables/conditions.ts'

const { gapsRead, minGaps, share, maxGap, graceDays, givenUpAfter } = lateFileRule

/** The business days on which files of mapping `m` arrived; with `imported` only files that were imported or were duplicates. */
const days = (imported: boolean) => sql`select distinct ${businessDay(sql.ref('i.received_at'))} as day from imports i
  where i.organization_id = e.organization_id and i.kind = m.kind and i.file_key = m.file_key and i.employer_id = e.id
    and i.mends is null and ${imported ? sql`i.status in ('SUCCESS', 'DUPLICATED')` : sql`true`}`

/**
 * Whether a file of mapping `m` of employer `e` is overdue: the usual interval is learned from the days of earlier files, and any
 * file that arrives, even one that fails and is listed as failed, restarts it.
 */
export const isLate = sql<boolean>`(e.status = 'ACTIVE' and m.kind in ('EMPLOYEE', 'TIMEKEEPING') and exists (
  select from (select percentile_disc(${sql.lit(share)}) within group (order by gap) as usual, count(gap) as known
    from (select day - lag(day) over (order by day) as gap
      from (${days(true)} order by day desc limit ${sql.lit(gapsRead + 1)}) arrivals) gaps) rhythm
  cross join lateral (select max(day) as day from (${days(false)}) all_days) last
  where rhythm.known >= ${sql.lit(minGaps)} and rhythm.usual <= ${sql.lit(maxGap)}
    and business_date() > last.day + rhythm.usual + ${sql.lit(graceDays)}
    and business_date() <= last.day + ${sql.lit(givenUpAfter)}))`

/** Whether a file of one of the mappings of employer `e` is overdue. */
export const hasLateFile = sql<boolean>`(e.status = 'ACTIVE' and exists (
  select from mappings m where m.employer_id = e.id and ${isLate}))`
