import { type RawBuilder, sql } from 'kysely'
import { asksForDecision, type FileStatus, fileStatusOf, importText, leavesOut, type StatusMapping } from '#domain/import.ts'
import { employeeEvents } from '#domain/employee-event.ts'
import { addAccountManagers, rejectAdmins, tooManyAccountManagers } from '#server/jobs/imports/account-managers.ts'
import { columnsIn, columnValue, columnList, nameColumns, snapshotOf } from '#server/jobs/imports/employee-columns.ts'
import { batchSize, changeInBatches, isOneOf, lockPeople } from '#server/jobs/imports/in-batches.ts'
import {
  cellOf,
  match,
  mayBeAnybody,
  rejectBoth,
  rejectDoubtful,
  rejectLines,
  rejectSimilar,
  rejectTwins,
} from '#server/jobs/imports/matched.ts'
import { identifierFields, type MappingField, mappingFields } from '#domain/mapping-fields.ts'
import { businessDate } from '#server/tables/business-date.ts'
import type { Tx } from '#server/tables/database.ts'
import { identifierColumns } from '#server/tables/identifiers.ts'
import { afterPause, becomes, losesUnnamed, notMapped, staffOf, untouched } from '#server/tables/file-effects.ts'
import { wholeNumber } from '#domain/text.ts'
import { isFound } from '#server/postgres/select.ts'

/** The target of staged lines, and their sender. */
export interface ImportContext {
  id: number
  employer_id: number
  organization_id: number
  incremental: boolean
  terminated_values: readonly string[]
  /** The fields that the mapping of the file has a column for. */
  fields: ReadonlySet<MappingField>
  /** The mapping of statuses. */
  statuses: readonly StatusMapping[]
  received_by: string
  received_by_name: string
  /** Number of missing people that a person approved. */
  absent_allowed: number | null
  now: Date
}

/** The result of applying a file. */
export interface Outcome {
  created: number
  changed: number
  /** Lines about new people with an unknown status. */
  unknown: number
  ended: number
  absent: number
  /** Milliseconds from the first lock of an employee until the commit starts; null without a lock. */
  heldFor: number | null
  /** Why nothing was applied and the file waits; null if it was applied. */
  waits: string | null
  /** Why nothing can be applied; null if it was applied. */
  refused: string | null
  /** Lines that were accepted but do not count at the moment. */
  uncounted: number
  /** A note for people about the applied file; null if there is none. */
  note: string | null
}

/** The result of applying a file, or the function that locks people and changes them: everything else is done before. */
export type ApplyResult = Outcome | (() => Promise<Outcome>)

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

/** Thrown when more people are missing than when they were counted: the import starts again and waits for approval. */
export class MoreAbsent extends Error {}

/** A column with more distinct values is not a status column. */
const maxStatuses = 1_000

const staff = staffOf('e')
/** Interprets each distinct text of the status column; returns why that is impossible, or null. */
async function readStatuses(tx: Tx, { terminated_values, statuses }: ImportContext): Promise<string | null> {
  const { rows } = await sql<{
    text: string
  }>`select distinct ${cellOf('status')} as text from staged_lines l limit ${maxStatuses + 1}`.execute(tx)
  if (rows.length > maxStatuses)
    return `The status column has over ${wholeNumber(maxStatuses)} different values. Is it another one?`
  const read = rows.map(({ text }) => ({ text, says: fileStatusOf(text, terminated_values, statuses) ?? notMapped }))
  await sql`insert into staged_statuses select text, says from json_to_recordset(${JSON.stringify(read)}) as row (text text, says text)`.execute(
    tx,
  )
  return null
}

/**
 * Plans, in `staged_plan`, the change of every known employee whom a line changes or whom a file of the whole staff does not
 * name. With `only`, replans these, who have changed in the meantime, and people who joined the staff since; returns who is
 * planned this way.
 */
async function plan(tx: Tx, applying: ImportContext, only: readonly number[] | null = null): Promise<number[]> {
  const { employer_id, incremental } = applying
  const columns = columnsIn(applying)
  const into = sql`insert into staged_plan (${columnList(['employee_id', 'version', 'was', 'status', 'status_before_pause', 'absent', ...columns])})`
  const isIn = (id: RawBuilder<unknown>) => (only ? isOneOf(id, only) : sql`true`)
  const returning = only ? sql`returning employee_id` : sql``
  await sql`delete from staged_plan where ${isIn(sql.ref('employee_id'))}`.execute(tx)
  const differs = sql.join(
    [
      sql`e.status <> ${becomes}`,
      sql`e.status = 'PAUSED' and e.status_before_pause is distinct from ${afterPause}`,
      ...columns.map(
        (name) => sql`${columnValue(name)} is distinct from ${sql.ref(`e.${name}`)} and ${columnValue(name)} is not null`,
      ),
    ],
    sql` or `,
  )
  const { rows: named } = await sql<{ employee_id: number }>`${into}
    select ${sql.join([
      sql`e.id, e.version, e.status, ${becomes}, ${afterPause}, false`,
      ...columns.map((name) => sql`coalesce(${columnValue(name)}, ${sql.ref(`e.${name}`)})`),
    ])}
    from staged_people p join staged_lines l on l.line = p.line join staged_statuses s on s.text = ${cellOf('status')}
    join employees e on e.id = p.employee_id
    where ${isIn(sql.ref('e.id'))} and not ${untouched} and (${differs}) ${returning}`.execute(tx)
  if (incremental) return named.map(({ employee_id }) => employee_id)
  const namedBy = identifierFields.map(
    (
      by,
    ) => sql`select e.id from employees e join named n on n.by = ${by} and n.identifier = ${sql.ref(`e.${identifierColumns[by]}`)}
      where e.employer_id = ${employer_id}`,
  )
  // When replanning, lines about new people name those whom this file has already added.
  const { rows: absent } = await sql<{ employee_id: number }>`with named as (select by, identifier from staged_names
      union all select l.by, l.identifier from staged_lines l join staged_people p on p.line = l.line where p.employee_id is null)
    ${into}
    select ${sql.join([
      sql`e.id, e.version, e.status, case when e.status = 'PAUSED' then 'PAUSED' else 'INELIGIBLE' end,
        case when e.status = 'PAUSED' then 'INELIGIBLE' end, true`,
      ...columns.map((name) => sql.ref(`e.${name}`)),
    ])}
    from employees e where e.employer_id = ${employer_id} and ${staff} and ${losesUnnamed('e')}
      and not exists (select from staged_plan planned where planned.employee_id = e.id)
      and e.id not in (select employee_id from staged_people where employee_id is not null union ${sql.join(namedBy, sql` union `)})
    ${returning}`.execute(tx)
  return [...named, ...absent].map(({ employee_id }) => employee_id)
}

/**
 * The planned people, in batches. People with a user come last: they are the ones staff mostly edit, and so are locked for the
 * shortest time.
 */
async function batchesOfPlan(tx: Tx): Promise<number[][]> {
  const { rows } = await sql<{ people: number[] }>`select array_agg(employee_id order by employee_id) as people from (
      select p.employee_id, (row_number() over (order by e.user_id is not null, e.id) - 1) / ${batchSize.people}::int as batch
      from staged_plan p join employees e on e.id = p.employee_id) placed group by batch order by batch`.execute(tx)
  return rows.map(({ people }) => people)
}

/** The number of people whom the file must name, and of those it does not. */
async function countAbsent(tx: Tx, employerId: number): Promise<{ absent: number; staff: number }> {
  const { rows } = await sql<{ absent: number; staff: number }>`
    select (select count(*)::int from staged_plan where absent) as absent,
      (select count(*)::int from employees e where e.employer_id = ${employerId} and ${staff}) as staff`.execute(tx)
  return rows[0] as (typeof rows)[number]
}

/** Whether rejected lines have no code, or one that a spreadsheet changed: such a line may be about anybody. */
async function hasChangedCodes(tx: Tx): Promise<boolean> {
  return isFound(tx)`select from staged_names where ${mayBeAnybody(sql.ref('identifier'))} limit 1`
}

/** A note on lines with a placeholder such as N/A for an e-mail or phone; null if there are none. */
async function noteOnPlaceholders(tx: Tx): Promise<string | null> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from staged_lines l
    where '' in (${cellOf('email')}, ${cellOf('phone')})`.execute(tx)
  const count = rows[0]?.count ?? 0
  if (count === 0) return null
  return `${count === 1 ? '1 line has' : `${wholeNumber(count)} lines have`} a placeholder such as N/A as e-mail or phone, which was taken as empty.`
}

async function hasLines(tx: Tx): Promise<boolean> {
  return isFound(tx)`select 1 from staged_lines limit 1`
}

/** The number of people added with an unknown status. */
async function countUnknown(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from staged_people p
    join staged_lines l on l.line = p.line join staged_statuses s on s.text = ${cellOf('status')}
    where p.employee_id is null and s.says = 'UNKNOWN'`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Locks people in order of id; returns those who changed after they were planned. */
async function lock(tx: Tx, { organization_id }: ImportContext, people: readonly number[]): Promise<number[]> {
  await lockPeople(tx, organization_id, people)
  const { rows } = await sql<{ id: number }>`select e.id from staged_plan p
    join employees e on e.id = p.employee_id and e.organization_id = ${organization_id}
    where ${isOneOf(sql.ref('e.id'), people)} and ${isOneOf(sql.ref('p.employee_id'), people)} and e.version <> p.version`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** The start of a statement that records the effects of a file in the audit. */
export const auditInsert = sql`insert into audit_events (actor_id, actor_name, intent, entity, entity_id, category, status, text, before, after, version,
  belongs_to)`

/** Adds all unknown people who have not left; returns the number. */
async function create(tx: Tx, applying: ImportContext): Promise<number> {
  const columns = [...new Set([...nameColumns, ...columnsIn(applying)])]
  const { rows } = await sql<{ count: number }>`
    with added as (
      insert into employees as e (organization_id, employer_id, employee_code, ${columnList([...columns, 'pay_type'])},
        status, flow, brand, created_at, updated_at)
      select employer.organization_id, employer.id, coalesce(${cellOf('employee_code')}, l.identifier), ${sql.join(columns.map(columnValue))},
        case when ${cellOf('rate')} is not null then 'HOURLY' end,
        case s.says when 'ACTIVE' then 'ELIGIBLE' else s.says end, 'PAYROLL', employer.brand, ${applying.now}, ${applying.now}
      from staged_people p join staged_lines l on l.line = p.line join staged_statuses s on s.text = ${cellOf('status')}
      join employers employer on employer.id = ${applying.employer_id}
      where p.employee_id is null and s.says <> 'TERMINATED' order by l.line
      returning e.*),
    events as (${auditInsert}
      select ${applying.received_by}, ${applying.received_by_name}, 'import.apply-file', 'employee', added.id::text, 'user',
        ${employeeEvents.created}, ${importText(applying.id)}, null, ${snapshotOf('added', columns)}, added.version,
        'employer:' || added.employer_id from added),
    listed as (insert into import_people (import_id, employee_id, effect, before, after)
      select ${applying.id}, added.id, 'CREATED', '{}', jsonb_build_object('status', added.status) from added)
    select count(*)::int as count from added`.execute(tx)
  return rows[0]?.count ?? 0
}

/** The result of a batch of people. */
interface BatchCounts {
  changed: number
  /** The number of people who are no longer eligible, or have left. */
  ended: number
}

/** Changes the planned people among `people`, who are locked. */
async function change(tx: Tx, applying: ImportContext, people: readonly number[]): Promise<BatchCounts> {
  const endedWhilePaused = sql`p.status = 'TERMINATED' and e.status = 'PAUSED'`
  const columns = columnsIn(applying)
  const ends = sql`(p.status in ('INELIGIBLE', 'TERMINATED') and p.was not in ('INELIGIBLE', 'TERMINATED')
    or coalesce(p.status_before_pause = 'INELIGIBLE', false))`
  const cleared = ['paused_at', 'paused_by', 'paused_by_name', 'pause_reason', 'pause_details']
  const written = [...new Set([...columns, 'status', 'status_before_pause', 'pay_type', ...cleared])]
  // Built from the columns that differ: converting all of them to JSON and comparing takes as long as the update itself.
  const difference = (of: 'before' | 'saved') =>
    sql.join(
      written.map(
        (name) => sql`case when ${sql.ref(`before.${name}`)} is distinct from ${sql.ref(`saved.${name}`)}
          then jsonb_build_object(${sql.lit(name)}, ${sql.ref(`${of}.${name}`)}) else '{}' end`,
      ),
      sql` || `,
    )
  const { rows } = await sql<BatchCounts>`
    with before as materialized (select e.* from employees e
      where e.organization_id = ${applying.organization_id} and ${isOneOf(sql.ref('e.id'), people)}),
    planned as materialized (select p.* from staged_plan p where ${isOneOf(sql.ref('p.employee_id'), people)}),
    saved as (
      update employees e set status = p.status, status_before_pause = case when ${endedWhilePaused} then null else coalesce(p.status_before_pause, e.status_before_pause) end,
        ${sql.join(cleared.map((name) => sql`${sql.ref(name)} = case when not (${endedWhilePaused}) then ${sql.ref(`e.${name}`)} end`))},
        ${sql.join(
          columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`p.${name}`)},`),
          sql` `,
        )}
        pay_type = case when e.pay_type is null and p.rate_amount is not null then 'HOURLY' else e.pay_type end,
        updated_at = ${applying.now}, updated_by = null, version = e.version + 1
      from planned p where e.id = p.employee_id and e.organization_id = ${applying.organization_id} and ${isOneOf(sql.ref('e.id'), people)} returning e.*),
    events as (${auditInsert}
      select ${applying.received_by}, ${applying.received_by_name}, 'import.apply-file', 'employee', saved.id::text, 'user',
        ${employeeEvents.changedByFile}, ${importText(applying.id)}, ${snapshotOf('before', columns)}, ${snapshotOf('saved', columns)}, saved.version,
        'employer:' || saved.employer_id
      from saved join before using (id)),
    listed as (insert into import_people (import_id, employee_id, effect, before, after)
      select ${applying.id}, saved.id, case when ${ends} then 'ENDED' else 'CHANGED' end, ${difference('before')}, ${difference('saved')}
      from saved join before using (id) join planned p on p.employee_id = saved.id
      on conflict do nothing)
    select count(*)::int as changed, (count(*) filter (where ${ends}))::int as ended
    from saved join planned p on p.employee_id = saved.id`.execute(tx)
  return rows[0] as BatchCounts
}

/** Rejects lines that cannot be applied to the person they are about. */
async function validate(tx: Tx, applying: ImportContext): Promise<void> {
  const { employer_id, fields } = applying
  await rejectSimilar(tx, applying)
  await rejectDoubtful(tx)
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
  if (fields.has('birth_date'))
    await rejectLines(
      tx,
      sql`${cellOf('birth_date')}::date >= ${await businessDate(tx)}::date`,
      sql`'Nobody was born on ' || ${cellOf('birth_date')} || ', which is not in the past. Correct the date.'`,
      { column: sql`'Birth date'` },
    )
  // Employees keep an id they already have; two lines that assign it to different people are both rejected.
  for (const by of identifierFields.filter((name) => name !== 'employee_code')) {
    await rejectLines(
      tx,
      // Joins from the line to the owner of its id: the other direction would compare every employee with every line.
      sql`l.line in (select l.line from staged_lines l join employees e on e.employer_id = ${employer_id}
        and e.status <> 'DUPLICATED' and ${sql.ref(`e.${identifierColumns[by]}`)} = ${cellOf(by)} join staged_people p on p.line = l.line
        where l.by <> ${by} and p.employee_id is distinct from e.id)`,
      sql`'Another employee has the id ' || ${cellOf(by)} || '.'`,
    )
    await rejectBoth(
      tx,
      { from: sql`staged_lines l`, where: sql`${cellOf(by)} is not null`, same: cellOf(by) },
      (line) => `Line ${line} has the same ${mappingFields[by].title} for somebody else.`,
    )
  }
  await rejectAdmins(tx, applying)
  await sql`delete from staged_people p where not exists (select from staged_lines l where l.line = p.line)`.execute(tx)
}

/**
 * Applies the staged lines of an eligible employee file to the employees of its employer, all or nothing: new ones are added
 * before anybody is locked; known ones are planned, then locked and changed in batches. A file of the whole staff that omits too
 * many people waits for a person (docs/rules/imports.md), and so does one that omits anybody and has codes that a spreadsheet
 * changed: the missing people may be in these lines.
 */
export async function applyEmployees(tx: Tx, applying: ImportContext): Promise<ApplyResult> {
  await rejectTwins(tx, 'EMPLOYEE')
  const refused = (await readStatuses(tx, applying)) ?? (await tooManyAccountManagers(tx, applying))
  if (refused) return { ...nothingDone, refused }
  await match(tx, 'EMPLOYEE', applying)
  await validate(tx, applying)
  // A file without a valid line says nothing about the staff, so nobody counts as absent.
  if (!(await hasLines(tx))) return nothingDone
  await plan(tx, applying)
  let { absent, staff: known } = await countAbsent(tx, applying.employer_id)
  const changedCodes = await hasChangedCodes(tx)
  const tooMany = (missing: number, of: number): boolean => {
    if (applying.absent_allowed !== null) return missing > applying.absent_allowed
    return changedCodes ? missing > 0 : asksForDecision(missing, of)
  }
  const unknown = await countUnknown(tx)
  if (tooMany(absent, known)) return { ...nothingDone, absent, unknown, waits: leavesOut(absent, known, changedCodes) }
  const created = await create(tx, applying)
  const placeholders = await noteOnPlaceholders(tx)
  const batches = await batchesOfPlan(tx)
  const changeBatch = async (people: readonly number[]): Promise<BatchCounts> => {
    let batch = people
    for (let moved = await lock(tx, applying, batch); moved.length > 0; moved = await lock(tx, applying, batch)) {
      batch = [...new Set([...batch, ...(await plan(tx, applying, moved))])]
      const now = await countAbsent(tx, applying.employer_id)
      if (now.absent > absent && tooMany(now.absent, now.staff)) throw new MoreAbsent()
      absent = now.absent
    }
    return change(tx, applying, batch)
  }
  return async () => {
    const { results, heldFor } = await changeInBatches(tx, batches, changeBatch)
    const notes = [placeholders, await addAccountManagers(tx, applying)].filter((note) => note !== null)
    const sum = (name: keyof BatchCounts) => results.reduce((total, result) => total + result[name], 0)
    const note = notes.join(' ') || null
    return { ...nothingDone, created, changed: sum('changed'), unknown, ended: sum('ended'), absent, heldFor, note }
  }
}
