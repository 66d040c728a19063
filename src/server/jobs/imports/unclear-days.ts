import { type RawBuilder, sql } from 'kysely'
import { isOneOf } from '#server/jobs/imports/in-batches.ts'
import { type MatchedFile, mayBeAnybody, namedBy, rejectLines } from '#server/jobs/imports/matched.ts'
import { isFound } from '#server/postgres/select.ts'
import type { Tx } from '#server/tables/database.ts'
import { identifierColumns } from '#server/tables/identifiers.ts'

const dayStays = 'Another line of this day was not taken, so the day stays as it was.'

/** The employees `e` in rejected lines `n` that match `where`, each with the day of its line; the day is null if unreadable. */
const namedDays = ({ employer_id, fields }: MatchedFile, where: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql.join(
    namedBy(fields).map(
      (by) => sql`select e.id as employee_id, n.work_date from staged_names n
        join employees e on n.by = ${by} and n.identifier = ${sql.ref(`e.${identifierColumns[by]}`)}
        where e.employer_id = ${employer_id} and ${where}`,
    ),
    sql` union `,
  )

/**
 * Rejects the other lines of an employee's day if one was rejected: it may have been below zero, so what the day is worth is
 * unknown. Call it after all other checks of single lines.
 */
export async function rejectUnclear(tx: Tx, file: MatchedFile): Promise<void> {
  const dated = sql`n.work_date is not null`
  if (!(await isFound(tx)`select from staged_names n where ${dated} limit 1`)) return
  await rejectLines(
    tx,
    sql`l.line in (select t.line from staged_time t where (t.employee_id, t.work_date) in (${namedDays(file, dated)}))`,
    dayStays,
  )
}

/** Rejects lines by line number. */
export async function rejectTime(tx: Tx, lines: readonly number[], message: string): Promise<void> {
  if (lines.length === 0) return
  await rejectLines(tx, sql`l.line = any(${[...lines]}::integer[])`, message)
  await sql`delete from staged_time t where t.line = any(${[...lines]}::integer[])`.execute(tx)
}

/**
 * Leaves a day unchanged if the file would correct an entry of it, and a rejected line may be about it: one of that employee with
 * an unreadable day, or one without a code, or with one that a spreadsheet changed, which may be about any employee.
 */
export async function leaveUnclear(tx: Tx, file: MatchedFile, people: readonly number[]): Promise<void> {
  if (!(await isFound(tx)`select from staged_there where line is null and ${isOneOf(sql.ref('employee_id'), people)} limit 1`))
    return
  const anybody = sql`select null::bigint, n.work_date from staged_names n where ${mayBeAnybody(sql.ref('n.identifier'))}`
  const { rows: unclear } = await sql<{ line: number | null }>`
    with unclear as (update staged_there gone set unclear = true
      where gone.line is null and ${isOneOf(sql.ref('gone.employee_id'), people)}
        and exists (select from (${namedDays(file, sql`n.work_date is null and ${isOneOf(sql.ref('e.id'), people)}`)} union ${anybody}) u
          where coalesce(u.employee_id, gone.employee_id) = gone.employee_id and coalesce(u.work_date, gone.work_date) = gone.work_date)
      returning gone.employee_id, gone.work_date)
    select t.line from (select distinct employee_id, work_date from unclear) gone
    left join staged_time t on not t.known and t.employee_id = gone.employee_id and t.work_date = gone.work_date
      and ${isOneOf(sql.ref('t.employee_id'), people)}`.execute(tx)
  if (unclear.length === 0) return
  await rejectTime(
    tx,
    unclear.flatMap(({ line }) => line ?? []),
    dayStays,
  )
  await sql`delete from staged_there where unclear and ${isOneOf(sql.ref('employee_id'), people)}`.execute(tx)
}
