import { type Generated, type RawBuilder, type Selectable, sql } from 'kysely'
import { TimeEntry } from '#contract/timekeeping.ts'
import type { PlacementCode } from '#domain/employee.ts'
import type { TimeEntryStatus } from '#domain/time-entry.ts'
import type { Actor, Reader } from '#server/access/actor.ts'
import { openTo } from '#server/access/scope.ts'
import { prepared } from '#server/postgres/prepared.ts'
import type { Tx } from '#server/tables/database.ts'
import { hasPermission } from '#server/tables/employees.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import { selectAll, selectOne } from '#server/postgres/select.ts'
import { isRow, type RowKey } from '#server/tables/rows.ts'

/** The table `time_entries`, partitioned by month; earned in cents. */
export interface TimeEntryTable {
  organization_id: number
  id: Generated<number>
  employee_id: number
  /** The employer that the time was worked for; it decides who may see it, wherever the employee works now. */
  employer_id: number
  work_date: string
  minutes: number
  earned_amount: number
  status: TimeEntryStatus
  decided_by: string | null
  decided_by_name: string | null
  decided_at: Date | null
  decision_reason: string | null
  /** The import that it came with, if known. */
  import_id: Generated<number | null>
  /** Codes from the line of the file, by mapping field. */
  codes: Generated<Partial<Record<PlacementCode, string>> | null>
  updated_at: Generated<Date>
  version: Generated<number>
}

declare module '#server/tables/database.ts' {
  interface Database {
    time_entries: TimeEntryTable
  }
}

/** A time entry with the data that its rules and the API need. */
export interface TimeEntryRow extends Selectable<TimeEntryTable> {
  employee_name: string
  employer_name: string
  day_minutes: number
  period_over: boolean
}

/** Reads time entries; `chosen` selects their keys, as columns `id`, `organization_id` and `work_date`, and a sort key, `key`. */
export async function readTimeEntries(
  tx: Tx,
  chosen: RawBuilder<unknown>,
  order: RawBuilder<unknown> = sql`chosen.id`,
): Promise<(TimeEntryRow & { key: unknown })[]> {
  return selectAll<TimeEntryRow & { key: unknown }>(tx)`
    select chosen.key, t.id, t.organization_id, t.employee_id, t.employer_id, t.work_date, t.minutes, t.earned_amount, t.status, t.decided_by,
      t.decided_by_name, t.decided_at, t.decision_reason, t.import_id, t.codes, t.updated_at, t.version,
      employee.first_name || ' ' || employee.last_name as employee_name, employer.internal_name as employer_name,
      (select coalesce(sum(d.minutes), 0)::int from time_entries d
        where d.organization_id = t.organization_id and d.employee_id = t.employee_id and d.work_date = t.work_date
        and d.employer_id = t.employer_id and d.status <> 'REJECTED') as day_minutes,
      exists (select from work_period_balances period
        where period.organization_id = t.organization_id and period.employee_id = t.employee_id and not period.is_open
        and t.work_date between period.work_period_start and period.work_period_end) as period_over
    from (${chosen}) chosen
    join time_entries t on t.id = chosen.id and t.work_date = chosen.work_date and t.organization_id = chosen.organization_id
    join employees employee on employee.id = t.employee_id and employee.organization_id = t.organization_id
    join employers employer on employer.id = t.employer_id
    order by ${order}`
}

/** A time entry with what its partition depends on. */
interface TimeEntryKey extends RowKey {
  work_date: string
}

const chosenBy = (actor: Reader, of: number | TimeEntryKey) => sql`
  ${prepared} select t.id, t.organization_id, t.work_date, null as key from time_entries t
  where ${typeof of === 'number' ? sql`t.id = ${of}` : sql`${isRow('t', of)} and t.work_date = ${of.work_date}`}
    and ${openTo(actor, sql.ref('t.employer_id'))}`

/** One time entry, if the person may see it. */
export const oneTimeEntry = async (tx: Tx, actor: Reader, of: number | TimeEntryKey): Promise<TimeEntryRow | null> =>
  (await readTimeEntries(tx, chosenBy(actor, of)))[0] ?? null

/**
 * A time entry locked until the transaction ends and read after the lock; null if it is not open. Locks the employee first, as
 * files and the clock do, so that no work period of theirs ends in the meantime.
 */
export async function lockTimeEntry(tx: Tx, actor: Actor, id: number): Promise<TimeEntryRow | null> {
  const found = await selectOne<TimeEntryKey & { employee_id: number }>(tx)`${prepared}
    select t.id, t.organization_id, t.work_date, t.employee_id from time_entries t
    where t.id = ${id} and ${openTo(actor, sql.ref('t.employer_id'))}`
  if (!found) return null
  const { employee_id, ...key } = found
  const employee = { id: employee_id, organization_id: key.organization_id }
  // Pipelined in one round trip, executed in this order.
  const [, { rows }, row] = await Promise.all([
    sql`${prepared} select from employees e where ${isRow('e', employee)} for update`.execute(tx),
    sql`${chosenBy(actor, key)} for update of t`.execute(tx),
    oneTimeEntry(tx, actor, key),
  ])
  return rows.length > 0 ? row : null
}

/** The columns of a decision about a time entry. */
type Decision = Pick<TimeEntryTable, 'status' | 'decided_by' | 'decided_by_name' | 'decided_at' | 'decision_reason'>

/** Saves a decision about a locked time entry and increments its version. */
export async function saveDecision(
  tx: Tx,
  { id, organization_id, work_date }: TimeEntryRow,
  decision: Decision,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('time_entries')
    .set((set) => ({ ...decision, updated_at: now, version: set('version', '+', 1) }))
    .where('id', '=', id)
    .where('organization_id', '=', organization_id)
    .where('work_date', '=', work_date)
    .execute()
}

/** The snapshot of a time entry for the history, without anything that is masked for some readers. */
export const timeEntrySnapshot = ({ status, minutes }: TimeEntryRow): Record<string, unknown> => ({ status, minutes })

/** A time entry as returned by the API to the person: the earned amount would reveal the wage. */
export const toTimeEntry = (row: TimeEntryRow, actor: Pick<Actor, 'held'>): TimeEntry =>
  answerOf(TimeEntry, {
    ...row,
    employer: { id: row.employer_id, name: row.employer_name },
    earned_amount: hasPermission(actor, 'read:wages') ? row.earned_amount : null,
    decided_by: row.decided_by === null ? null : { id: row.decided_by, name: row.decided_by_name ?? '' },
  })
