import { type RawBuilder, sql } from 'kysely'
import {
  changedCodePattern,
  doubtfulCodeFault,
  doubtfulCodePattern,
  longCodePattern,
  roundedCodePattern,
} from '#domain/changed-code.ts'
import { type ImportKind, maxStoredFaults } from '#domain/import.ts'
import { identifierFields, type MappingField } from '#domain/mapping-fields.ts'
import { saidOtherwise, saidTwice } from '#domain/repeated-lines.ts'
import type { Tx } from '#server/tables/database.ts'
import { coreOf, identifierColumns } from '#server/tables/identifiers.ts'

/**
 * Moves staged lines that match `where`, a condition on `l`, to the rejected ones, of which the first are stored. Their person
 * and day are recorded, except for `twins`, which only repeat an earlier line.
 */
export const rejectLines = (
  tx: Tx,
  where: RawBuilder<unknown>,
  message: RawBuilder<unknown> | string,
  { column = sql`null::text`, twins = false }: { column?: RawBuilder<unknown>; twins?: boolean } = {},
) =>
  sql`with gone as (delete from staged_lines l where ${where} returning l.*),
    named as (insert into staged_names (by, identifier, work_date)
      select by, identifier, (values ->> 'work_date')::date from gone where not ${twins}::boolean)
    insert into staged_faults (line, column_name, message, content)
    select l.line, ${column}, ${typeof message === 'string' ? sql`${message}::text` : message}, l.content from gone l
    order by l.line limit greatest(0, ${maxStoredFaults} - (select count(*) from staged_faults))`.execute(tx)

/** The employer whose employees are in a file, and the fields of its mapping. */
export interface MatchedFile {
  employer_id: number
  fields: ReadonlySet<MappingField>
}

/** The value of a field of line `l` as text; null if missing. */
export const cellOf = (field: string) => sql`(l.values ->> ${sql.lit(field)})`

/**
 * Rejects each line that repeats an earlier one; time entries may be equal in part. In employee files it also rejects all lines
 * that contradict each other about a person: nobody knows which is correct.
 */
export async function rejectTwins(tx: Tx, kind: ImportKind): Promise<void> {
  await rejectAlike(tx, { from: sql`staged_lines l`, same: sql`by, identifier, values` })
  if (kind === 'EMPLOYEE') await rejectBoth(tx, { from: sql`staged_lines l`, same: sql`by, identifier` }, saidOtherwise)
}

/** Rejects each time line that repeats an earlier one of the same person under another identifier; call it after `match`. */
export const rejectSamePerson = (tx: Tx) =>
  rejectAlike(tx, {
    from: sql`staged_lines l join staged_people p on p.line = l.line and p.employee_id is not null`,
    same: sql`p.employee_id, l.values - array[${sql.join(identifierFields.map((by) => sql.lit(by)))}]`,
  })

/** The lines `l` to compare, and the non-null values that make them equal. */
interface DuplicateCriteria {
  from: RawBuilder<unknown>
  where?: RawBuilder<unknown>
  same: RawBuilder<unknown>
}

/** A message that includes the number of the other line in `staged_twins`. */
export function namingTwin(messageFor: (line: number) => string): RawBuilder<unknown> {
  const [before, after] = messageFor(0).split('0') as [string, string]
  return sql`${before}::text || (select first_line from staged_twins twin where twin.line = l.line) || ${after}::text`
}

/** Finds lines equal to another one, into `staged_twins`, each with the line number selected by `other`. */
async function findAlike(
  tx: Tx,
  { from, where = sql`true`, same }: DuplicateCriteria,
  other: RawBuilder<unknown>,
): Promise<void> {
  await sql`delete from staged_twins`.execute(tx)
  // Most files have no such lines. Hashing finds that out in a third of the time of sorting all lines.
  await sql`insert into staged_twins select line, other from (
      select line, ${other} as other from (
        select l.line, min(l.line) over (partition by ${same}) as first, lead(l.line) over (partition by ${same} order by l.line) as next
        from ${from} where ${where} and (${same}) in (select ${same} from ${from} where ${where} group by ${same} having count(*) > 1)) l) l
    where other is not null`.execute(tx)
}

/** Rejects all lines that equal another one; the message names the first of them, or for the first the next. */
export async function rejectBoth(tx: Tx, alike: DuplicateCriteria, messageFor: (line: number) => string): Promise<void> {
  await findAlike(tx, alike, sql`case when line = first then next else first end`)
  await rejectLines(tx, sql`l.line in (select line from staged_twins)`, namingTwin(messageFor))
}

/** Rejects the lines that equal an earlier one; the message names it. */
async function rejectAlike(tx: Tx, alike: DuplicateCriteria): Promise<void> {
  await findAlike(tx, alike, sql`case when line > first then first end`)
  await rejectLines(tx, sql`l.line in (select line from staged_twins)`, namingTwin(saidTwice), { twins: true })
}

/** The identifiers of employees that a file with these fields can contain. */
export const namedBy = (fields: ReadonlySet<MappingField>) => identifierFields.filter((by) => fields.has(by))

/**
 * Finds the person of each staged line, into `staged_people` with the id of the employee or null; a line that matches several
 * people is rejected. Duplicated employees are never matched.
 */
export async function match(tx: Tx, kind: ImportKind, { employer_id, fields }: MatchedFile): Promise<void> {
  for (const by of namedBy(fields))
    await sql`with named as materialized (
        select n.identifier, min(e.id) as employee_id, count(e.id)::int as several
        from (select distinct identifier from staged_lines where by = ${by}) n
        left join employees e on e.employer_id = ${employer_id} and e.status <> 'DUPLICATED'
          and ${sql.ref(`e.${identifierColumns[by]}`)} = n.identifier group by n.identifier)
      insert into staged_people
      select l.line, named.employee_id, named.several from staged_lines l join named using (identifier) where l.by = ${by}`.execute(
      tx,
    )
  await rejectLines(
    tx,
    sql`l.line in (select line from staged_people where several > 1)`,
    sql`'Several employees are named ' || l.identifier || '.'`,
  )
  await sql`delete from staged_people where several > 1`.execute(tx)
  // Two lines may match one person by different identifiers.
  if (kind === 'EMPLOYEE')
    await rejectBoth(
      tx,
      { from: sql`staged_people l`, where: sql`l.employee_id is not null`, same: sql`l.employee_id` },
      saidOtherwise,
    )
  if (kind !== 'EMPLOYEE') await rejectSeveral(tx, { employer_id, fields })
  await forgetPeople(tx)
}

/**
 * Rejects each line that matches one employee by one identifier and another one by another. An employee file may also assign new
 * identifiers.
 */
async function rejectSeveral(tx: Tx, { employer_id, fields }: MatchedFile): Promise<void> {
  const given = namedBy(fields)
  if (given.length < 2) return
  for (const by of given)
    await rejectLines(
      tx,
      sql`l.by <> ${by} and l.line in (select p.line from staged_people p join staged_lines s on s.line = p.line
        join employees other on other.employer_id = ${employer_id} and other.status <> 'DUPLICATED'
          and ${sql.ref(`other.${identifierColumns[by]}`)} = s.values ->> ${sql.lit(by)} where other.id <> p.employee_id)`,
      sql`'Another employee is named ' || (l.values ->> ${sql.lit(by)}) || '.'`,
    )
}

/** Whether the identifier of a rejected line may be anybody's: a spreadsheet changed it, or it is missing. */
export const mayBeAnybody = (identifier: RawBuilder<unknown>) =>
  sql`(${identifier} ~ ${changedCodePattern} or ${identifier} ~ ${doubtfulCodePattern} or ${identifier} ~ ${roundedCodePattern})`

/**
 * For lines without a match, finds the identifiers of known employees that differ only in leading zeros or case, into
 * `staged_similar`. `where` is a condition on employees `e`.
 */
async function findSimilar(tx: Tx, { employer_id, fields }: MatchedFile, where: RawBuilder<unknown> = sql`true`): Promise<void> {
  await sql`delete from staged_similar`.execute(tx)
  for (const by of namedBy(fields)) {
    const known = sql.ref(`e.${identifierColumns[by]}`)
    await sql`insert into staged_similar (line, by, identifier)
      select l.line, ${by}::text, ${known} from staged_people p join staged_lines l on l.line = p.line and l.by = ${by}
      join employees e on e.employer_id = ${employer_id} and e.status <> 'DUPLICATED' and ${coreOf(known)} = ${coreOf(sql.ref('l.identifier'))}
      where p.employee_id is null and ${where}`.execute(tx)
  }
}

/**
 * Rejects lines about unknown people whose code was most likely changed by a spreadsheet, or is a placeholder. Codes of over 15
 * digits count as rounded if the file has several and all end in zeros.
 */
export async function rejectDoubtful(tx: Tx): Promise<void> {
  const [before, behind] = doubtfulCodeFault
  const long = sql`(select count(*) as count, bool_and(o.identifier ~ ${roundedCodePattern}) as rounded from staged_lines o
    where o.identifier ~ ${longCodePattern})`
  await rejectLines(
    tx,
    sql`l.line in (select line from staged_people where employee_id is null) and (l.identifier ~ ${doubtfulCodePattern}
      or (l.identifier ~ ${roundedCodePattern} and (select rounded and count > 1 from ${long} long)))`,
    sql`${before}::text || l.identifier || ${behind}::text`,
  )
}

/** Message for a line without a match; it names the similar identifier found by `findSimilar`. */
const nobodyIsNamed = sql`'Nobody is named ' || l.identifier
  || coalesce((select ': ' || min(known.identifier collate "C") || ' is known' from staged_similar known where known.line = l.line), '') || '.'`

const nameIn = (first: RawBuilder<unknown>, last: RawBuilder<unknown>) => sql`fold(${first} || ' ' || ${last})`
const nameInLine = nameIn(cellOf('first_name'), cellOf('last_name'))

/**
 * Rejects lines about unknown people whose code differs only in leading zeros or case from that of an employee who has not left:
 * a spreadsheet drops zeros, so the line is about that employee, who counts as named. One whom another line names by the right
 * code is somebody else, unless the names are equal, too. Of new people, two spellings of a code with one name contradict each
 * other.
 */
export async function rejectSimilar(tx: Tx, file: MatchedFile): Promise<void> {
  await findSimilar(
    tx,
    file,
    sql`e.status not in ('TERMINATED', 'DELETED') and (not exists (select from staged_people other where other.employee_id = e.id)
      or ${nameInLine} = ${nameIn(sql`e.first_name`, sql`e.last_name`)})`,
  )
  await sql`insert into staged_names (by, identifier) select distinct by, identifier from staged_similar`.execute(tx)
  await rejectLines(tx, sql`l.line in (select line from staged_similar)`, nobodyIsNamed)
  const unknown = sql`(select l.line, l.by, ${coreOf(sql`l.identifier`)} as core, ${nameInLine} as name
    from staged_lines l join staged_people p on p.line = l.line and p.employee_id is null) l`
  await rejectBoth(tx, { from: unknown, where: sql`l.name is not null`, same: sql`l.by, l.core, l.name` }, saidOtherwise)
}

/** Rejects each line without a match; call it after `match`. */
export async function rejectUnknown(tx: Tx, file: MatchedFile): Promise<void> {
  await findSimilar(tx, file)
  await rejectLines(tx, sql`l.line in (select line from staged_people where employee_id is null)`, nobodyIsNamed)
  await forgetPeople(tx)
}

const forgetPeople = (tx: Tx) =>
  sql`delete from staged_people p where not exists (select from staged_lines l where l.line = p.line)`.execute(tx)
