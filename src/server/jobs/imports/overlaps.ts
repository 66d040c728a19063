import { sql } from 'kysely'
import type { MappingField } from '#domain/mapping-fields.ts'
import { saidAtOnce } from '#domain/repeated-lines.ts'
import { namingTwin, rejectLines } from '#server/jobs/imports/matched.ts'
import type { Tx } from '#server/tables/database.ts'

/**
 * Rejects the lines of one employee whose clock times overlap: nobody works twice at a time, and either line may be right. Lines
 * that count for nothing overlap with none. Each line is compared with the latest end before it and with the next start, in one
 * pass, so that a file in which everything overlaps takes no longer. Zoned times are compared with zoned ones only.
 */
export async function rejectOverlaps(tx: Tx, fields: ReadonlySet<MappingField>): Promise<void> {
  if (!fields.has('clock_in') || !fields.has('clock_out')) return
  await sql`delete from staged_twins`.execute(tx)
  await sql`insert into staged_twins
    select line, case when start < latest[1] then latest[2] else next_line end from (
      select line, start, stop, lead(start) over span as next_start, lead(line) over span as next_line,
        max(array[stop, line]) over (span rows between unbounded preceding and 1 preceding) as latest
      from (
        select l.line, t.employee_id, (l.values -> 'worked' ->> 'from')::bigint as start, (l.values -> 'worked' ->> 'to')::bigint as stop,
          l.values -> 'worked' -> 'zoned' as zoned
        from staged_time t join staged_lines l on l.line = t.line where t.counts and t.minutes > 0) worked
      where start < stop
      window span as (partition by employee_id, zoned order by start, line)) placed
    where start < latest[1] or next_start < stop`.execute(tx)
  await rejectLines(tx, sql`l.line in (select line from staged_twins)`, namingTwin(saidAtOnce))
}
