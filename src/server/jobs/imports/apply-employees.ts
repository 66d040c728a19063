import { sql } from 'kysely'
import { asksForDecision, type FileStatus, fileStatusOf, leavesOut, type StatusMapping } from '#domain/import.ts'
import { employeeEvents } from '#domain/employee-event.ts'
import { cellOf, match, rejectBoth, rejectLines, rejectTwins } from '#server/jobs/imports/matched.ts'
import { identifierFields, mappingFields } from '#domain/mapping-fields.ts'
import type { Tx } from '#server/tables/database.ts'
import { identifierColumns } from '#server/tables/identifiers.ts'
import { afterPause, becomes, losesUnnamed, notMapped, staffOf, untouched } from '#server/tables/imports.ts'
import { wholeNumber } from '#domain/text.ts'

/** What staged lines are applied to, and by whom. */
export interface Applying {
  id: number
  employer_id: number
  organization_id: number
  incremental: boolean
  terminated_values: readonly string[]
  /** What the mapping says that statuses mean. */
  statuses: readonly StatusMapping[]
  received_by: string
  received_by_name: string
  /** So many may be missing, as a person decided. */
  absent_allowed: number | null
  now: Date
}

/** What applying a file came to. */
export interface Outcome {
  created: number
  changed: number
  /** Lines about new people with a status that is not known. */
  unknown: number
  ended: number
  absent: number
  /** Milliseconds from the first lock of an employee on until the commit begins; null where none is locked. */
  heldFor: number | null
  /** Why nothing was applied; null where it was. */
  waits: string | null
  /** Why nothing can be applied; null where it was. */
  refused: string | null
  /** Lines that were taken and count for nothing as things are. */
  uncounted: number
  /** What people should know of a file that was applied; null where that is nothing. */
  note: string | null
}

export const nothingDone: Outcome = {
  created: 0,
  changed: 0,
  unknown: 0,
  ended: 0,
  absent: 0,
  heldFor: null,
  waits: null,
  refused: null,
  uncounted: 0,
  note: null,
}

/** Thrown where more people are missing than when they were counted: the file is begun anew, and waits. */
export class MoreAbsent extends Error {}

/** A status column with more values is not one. */
const mostStatuses = 1_000
/** How often is looked again at employees whom somebody changed meanwhile. */
const tries = 5

const staff = staffOf('e')
/** What the history keeps of an employee, before and after: nothing that is masked for anybody who may read it. */
const told = [
  'status',
  'first_name',
  'last_name',
  'external_tk_id',
  'email',
  'phone_number',
  'department_code',
  'hire_date',
] as const
/** What a line may change beside the status, by the field of the mapping. */
const fields = {
  first_name: 'first_name',
  last_name: 'last_name',
  external_tk_id: 'external_tk_id',
  secondary_tk_id: 'secondary_id',
  email: 'email',
  phone_number: 'phone',
  department_code: 'department_code',
  hire_date: 'hire_date',
  rate_amount: 'rate',
} as const
const types: Partial<Record<keyof typeof fields, string>> = { hire_date: 'date', rate_amount: 'bigint' }
const columnNames = Object.keys(fields) as (keyof typeof fields)[]
const given = (name: keyof typeof fields) => {
  const type = types[name]
  return type ? sql`${cellOf(fields[name])}::${sql.raw(type)}` : cellOf(fields[name])
}

/** Understands what the status column says, each text once; answers why that is impossible, or null. */
async function readStatuses(tx: Tx, { terminated_values, statuses }: Applying): Promise<string | null> {
  const { rows } = await sql<{
    text: string
  }>`select distinct ${cellOf('status')} as text from staged_lines l limit ${mostStatuses + 1}`.execute(tx)
  if (rows.length > mostStatuses)
    return `The status column has over ${wholeNumber(mostStatuses)} different values. Is it another one?`
  const read = rows.map(({ text }) => ({ text, says: fileStatusOf(text, terminated_values, statuses) ?? notMapped }))
  await sql`insert into staged_statuses select text, says from json_to_recordset(${JSON.stringify(read)}) as row (text text, says text)`.execute(
    tx,
  )
  return null
}

const snapshotOf = (alias: string) =>
  sql`jsonb_build_object(${sql.join(told.map((name) => sql`${sql.lit(name)}, ${sql.ref(`${alias}.${name}`)}`))})`

/** Plans, in `staged_plan`, what becomes of every known employee whom a line changes or whom a file of the whole staff does not name. */
async function plan(tx: Tx, { employer_id, incremental }: Applying): Promise<void> {
  await sql`delete from staged_plan`.execute(tx)
  const differs = sql.join(
    [
      sql`e.status <> ${becomes}`,
      sql`e.status = 'PAUSED' and e.status_before_pause is distinct from ${afterPause}`,
      ...columnNames.map((name) => sql`${given(name)} is distinct from ${sql.ref(`e.${name}`)} and ${given(name)} is not null`),
    ],
    sql` or `,
  )
  await sql`insert into staged_plan
    select e.id, e.version, e.status, ${becomes}, ${afterPause}, false,
      ${sql.join(columnNames.map((name) => sql`coalesce(${given(name)}, ${sql.ref(`e.${name}`)})`))}
    from staged_people p join staged_lines l on l.line = p.line join staged_statuses s on s.text = ${cellOf('status')}
    join employees e on e.id = p.employee_id
    where not ${untouched} and (${differs})`.execute(tx)
  if (incremental) return
  const namedBy = identifierFields.map(
    (
      by,
    ) => sql`select e.id from employees e join named n on n.by = ${by} and n.identifier = ${sql.ref(`e.${identifierColumns[by]}`)}
      where e.employer_id = ${employer_id}`,
  )
  // When it is planned anew, lines about somebody unknown name whom they added a moment ago.
  await sql`with named as (select by, identifier from staged_names
      union all select l.by, l.identifier from staged_lines l join staged_people p on p.line = l.line where p.employee_id is null)
    insert into staged_plan
    select e.id, e.version, e.status, case when e.status = 'PAUSED' then 'PAUSED' else 'INELIGIBLE' end,
      case when e.status = 'PAUSED' then 'INELIGIBLE' end, true, ${sql.join(columnNames.map((name) => sql.ref(`e.${name}`)))}
    from employees e where e.employer_id = ${employer_id} and ${staff} and ${losesUnnamed('e')}
      and e.id not in (select employee_id from staged_people where employee_id is not null union ${sql.join(namedBy, sql` union `)})`.execute(
    tx,
  )
}

/** How many are to be named, and how many of them are not. */
async function countAbsent(tx: Tx, employerId: number): Promise<{ absent: number; staff: number }> {
  const { rows } = await sql<{ absent: number; staff: number }>`
    select (select count(*)::int from staged_plan where absent) as absent,
      (select count(*)::int from employees e where e.employer_id = ${employerId} and ${staff}) as staff`.execute(tx)
  return rows[0] as (typeof rows)[number]
}

/** How many are added with a status that is not known. */
async function countUnknown(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from staged_people p
    join staged_lines l on l.line = p.line join staged_statuses s on s.text = ${cellOf('status')}
    where p.employee_id is null and s.says = 'UNKNOWN'`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Holds those who are planned to change, as they were planned; false where somebody changed one meanwhile. */
async function hold(tx: Tx): Promise<boolean> {
  await sql`select 1 from employees e join staged_plan p on p.employee_id = e.id order by e.id for update of e`.execute(tx)
  const { rows } =
    await sql`select 1 from staged_plan p join employees e on e.id = p.employee_id where e.version <> p.version limit 1`.execute(
      tx,
    )
  return rows.length === 0
}

/** The beginning of a statement that keeps what a file did. */
export const recorded = sql`insert into audit_events (actor_id, actor_name, intent, entity, entity_id, category, status, text, before, after, version,
  belongs_to)`

/** Adds everybody whom nobody knows yet and who has not left; answers how many. */
async function create(tx: Tx, applying: Applying): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with added as (
      insert into employees as e (employer_id, employee_code, ${sql.join([...columnNames, 'pay_type'].map((name) => sql.ref(name)))},
        status, flow, brand, created_at, updated_at)
      select employer.id, coalesce(${cellOf('employee_code')}, l.identifier), ${sql.join(columnNames.map(given))},
        case when ${cellOf('rate')} is not null then 'HOURLY' end,
        case s.says when 'ACTIVE' then 'ELIGIBLE' else s.says end, 'PAYROLL', employer.brand, ${applying.now}, ${applying.now}
      from staged_people p join staged_lines l on l.line = p.line join staged_statuses s on s.text = ${cellOf('status')}
      join employers employer on employer.id = ${applying.employer_id}
      where p.employee_id is null and s.says <> 'TERMINATED' order by l.line
      returning e.*),
    events as (${recorded}
      select ${applying.received_by}, ${applying.received_by_name}, 'import.apply-file', 'employee', added.id::text, 'user',
        ${employeeEvents.created}, ${importText(applying.id)}, null, ${snapshotOf('added')}, added.version,
        'employer:' || added.employer_id from added)
    select count(*)::int as count from added`.execute(tx)
  return rows[0]?.count ?? 0
}

/** How the history names a file. */
export const importText = (id: number): string => `Import ${id}`

/** Changes those who are planned and held; answers how many, and how many of them are no longer eligible or left. */
async function change(tx: Tx, applying: Applying): Promise<{ changed: number; ended: number }> {
  const left = sql`p.status = 'TERMINATED' and e.status = 'PAUSED'`
  const cleared = ['paused_at', 'paused_by', 'paused_by_name', 'pause_reason', 'pause_details']
  const { rows } = await sql<{ changed: number; ended: number }>`
    with before as materialized (select e.id, ${snapshotOf('e')} as told from employees e join staged_plan p on p.employee_id = e.id),
    saved as (
      update employees e set status = p.status, status_before_pause = case when ${left} then null else coalesce(p.status_before_pause, e.status_before_pause) end,
        ${sql.join(cleared.map((name) => sql`${sql.ref(name)} = case when not (${left}) then ${sql.ref(`e.${name}`)} end`))},
        ${sql.join(columnNames.map((name) => sql`${sql.ref(name)} = ${sql.ref(`p.${name}`)}`))},
        pay_type = case when e.pay_type is null and p.rate_amount is not null then 'HOURLY' else e.pay_type end,
        updated_at = ${applying.now}, updated_by = null, version = e.version + 1
      from staged_plan p where e.id = p.employee_id returning e.*),
    events as (${recorded}
      select ${applying.received_by}, ${applying.received_by_name}, 'import.apply-file', 'employee', saved.id::text, 'user',
        ${employeeEvents.changedByFile}, ${importText(applying.id)}, before.told, ${snapshotOf('saved')}, saved.version,
        'employer:' || saved.employer_id
      from saved join before using (id))
    select count(*)::int as changed,
      (count(*) filter (where p.status in ('INELIGIBLE', 'TERMINATED') and p.was not in ('INELIGIBLE', 'TERMINATED')
        or p.status_before_pause = 'INELIGIBLE'))::int as ended
    from saved join staged_plan p on p.employee_id = saved.id`.execute(tx)
  return rows[0] as (typeof rows)[number]
}

/** Rejects lines that cannot be applied to whom they are about. */
async function judge(tx: Tx, { employer_id }: Applying): Promise<void> {
  const known = (yes: boolean) =>
    sql`l.line in (select line from staged_people where employee_id is ${sql.raw(yes ? 'not null' : 'null')})`
  const says = (status: FileStatus | typeof notMapped) =>
    sql`${cellOf('status')} in (select text from staged_statuses where says = ${status})`
  await rejectLines(
    tx,
    says(notMapped),
    sql`'“' || ${cellOf('status')} || '” is no status that is known here. If it is one, add it to the statuses of the file mapping.'`,
    { column: sql`'Status'` },
  )
  await rejectLines(
    tx,
    sql`${known(true)} and ${says('UNKNOWN')}`,
    sql`'“' || ${cellOf('status')} || '” means Unknown, which changes nobody who is known.'`,
    { column: sql`'Status'` },
  )
  await rejectLines(
    tx,
    sql`${known(false)} and not (${says('TERMINATED')}) and (${cellOf('first_name')} is null or ${cellOf('last_name')} is null)`,
    'A new employee needs a first and a last name.',
  )
  // Whoever has an id already keeps it; two lines that give it to different people are both rejected.
  for (const by of identifierFields.filter((name) => name !== 'employee_code')) {
    await rejectLines(
      tx,
      // From the line to who has its id: the other way round every employee would be held against every line.
      sql`l.line in (select l.line from staged_lines l join employees e on e.employer_id = ${employer_id}
        and e.status <> 'DUPLICATED' and ${sql.ref(`e.${identifierColumns[by]}`)} = ${cellOf(by)} join staged_people p on p.line = l.line
        where l.by <> ${by} and p.employee_id is distinct from e.id)`,
      sql`'Another employee has the id ' || ${cellOf(by)} || '.'`,
    )
    await rejectBoth(
      tx,
      { all: sql`staged_lines l where ${cellOf(by)} is not null`, same: cellOf(by) },
      (line) => `Line ${line} has the same ${mappingFields[by].title} for somebody else.`,
    )
  }
  await sql`delete from staged_people p where not exists (select from staged_lines l where l.line = p.line)`.execute(tx)
}

/**
 * Applies the staged lines of an eligible employee file to the employees of its employer, all of them or none: new ones are
 * added before anybody is held, known ones are planned, held, and changed in one statement. A file of the whole staff that
 * leaves too many out waits for a person (rules 17).
 */
export async function applyEmployees(tx: Tx, applying: Applying): Promise<Outcome> {
  await rejectTwins(tx, 'EMPLOYEE')
  const refused = await readStatuses(tx, applying)
  if (refused) return { ...nothingDone, refused }
  await match(tx, 'EMPLOYEE', applying.employer_id)
  await judge(tx, applying)
  await plan(tx, applying)
  let { absent, staff: known } = await countAbsent(tx, applying.employer_id)
  const tooMany = (missing: number, of: number): boolean =>
    applying.absent_allowed === null ? asksForDecision(missing, of) : missing > applying.absent_allowed
  const unknown = await countUnknown(tx)
  if (tooMany(absent, known)) return { ...nothingDone, absent, unknown, waits: leavesOut(absent, known) }
  const created = await create(tx, applying)
  const from = performance.now()
  for (let at = 1; !(await hold(tx)); at += 1) {
    if (at === tries) throw new Error('Employees were changed all the time.')
    await plan(tx, applying)
    const now = await countAbsent(tx, applying.employer_id)
    if (now.absent > absent && tooMany(now.absent, now.staff)) throw new MoreAbsent()
    absent = now.absent
  }
  const { changed, ended } = await change(tx, applying)
  return { ...nothingDone, created, changed, unknown, ended, absent, heldFor: Math.round(performance.now() - from) }
}
