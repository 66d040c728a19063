import { type RawBuilder, sql } from 'kysely'
import type { PreviewLine } from '#contract/mapping-preview.ts'
import { personalFields, placementCodes } from '#domain/employee.ts'
import { fileStatusOf, type StatusMapping } from '#domain/import.ts'
import { doubtfulCodePattern } from '#domain/changed-code.ts'
import type { IdentifierField, MappingKind } from '#domain/mapping-fields.ts'
import type { Tx } from '#server/tables/database.ts'
import { openTo } from '#server/access/scope.ts'
import { coreOf, identifierColumns } from '#server/tables/identifiers.ts'
import { afterPause, becomes, notMapped, staffOf, untouched } from '#server/tables/file-effects.ts'
import { isFound } from '#server/postgres/select.ts'

/** Counts of the effects that lines would have on employees. */
export type ComparisonCounts = Record<
  'staff' | 'present' | 'known' | 'changed' | 'ended' | 'unknown' | 'left' | 'as_unknown' | 'not_mapped' | 'unclear',
  number
>

/**
 * Compares lines with the employees of an employer that is open to the person; rates and personal details only for people who may
 * see them. Statuses are limited to those that end an employment, if the integration names any.
 */
export async function comparedWith(
  tx: Tx,
  employerId: number,
  by: IdentifierField,
  lines: readonly PreviewLine[],
  {
    wages,
    personal,
    terminated,
    statuses,
  }: { wages: boolean; personal: boolean; terminated: readonly string[]; statuses: readonly StatusMapping[] },
): Promise<ComparisonCounts> {
  const texts = [...placementCodes, ...(personal ? personalFields : [])]
  const differs = sql`(
    line.first_name <> e.first_name or line.last_name <> e.last_name
    or fold(line.full_name) not in (fold(e.first_name || ' ' || e.last_name), fold(e.last_name || ', ' || e.first_name))
    or line.email is distinct from coalesce(e.email, '') and line.email is not null
    or translate(line.phone, '+-(). ', '') is distinct from coalesce(e.phone_digits, '') and line.phone is not null
    or ${sql.join(
      texts.map((name) => sql`${sql.ref(`line.${name}`)} <> coalesce(${sql.ref(`e.${name}`)}::text, '')`),
      sql` or `,
    )}
    or line.hire_date is distinct from e.hire_date and line.hire_date is not null
    or ${wages} and line.rate is distinct from e.rate_amount and line.rate is not null
    or s.says is not null and (e.status <> ${becomes} or e.status = 'PAUSED' and e.status_before_pause is distinct from ${afterPause}))`
  const isApplied = sql`e.id is not null and not ${untouched} and coalesce(s.says, '') not in ('UNKNOWN', ${notMapped})`
  const ends = sql`s.says is not null and (${becomes} in ('INELIGIBLE', 'TERMINATED') and e.status not in ('INELIGIBLE', 'TERMINATED')
    or ${afterPause} = 'INELIGIBLE' and e.status_before_pause is distinct from 'INELIGIBLE')`
  const count = (condition: RawBuilder<unknown>) => sql`(count(*) filter (where ${condition}))::int`
  const statusLines = lines.map(({ status, ...line }) => ({
    ...line,
    ...(status ? { says: fileStatusOf(status, terminated, statuses) ?? notMapped } : {}),
  }))
  const { rows } = await sql<ComparisonCounts>`
    select (select count(*)::int from employees of where of.employer_id = ${employerId} and ${staffOf('of')}) as staff,
      (count(distinct e.id) filter (where ${staffOf('e')}))::int as present, count(e.id)::int as known,
      ${count(sql`${isApplied} and ${differs}`)} as changed, ${count(sql`${isApplied} and ${ends}`)} as ended,
      ${count(sql`e.id is null`)} as unknown, ${count(sql`e.id is null and s.says = 'TERMINATED'`)} as left,
      ${count(sql`e.id is null and s.says = 'UNKNOWN'`)} as as_unknown,
      ${count(sql`e.id is null and s.says = ${notMapped}`)} as not_mapped,
      ${count(sql`e.id is not null and s.says in ('UNKNOWN', ${notMapped})`)} as unclear
    from json_to_recordset(${JSON.stringify(statusLines)}) line (identifier text, first_name text, last_name text, full_name text,
      email text, phone text, hire_date date, rate bigint, says text,
      ${sql.join([...placementCodes, ...personalFields].map((name) => sql`${sql.ref(name)} text`))})
    cross join lateral (select line.says) s
    left join employees e on e.employer_id = ${employerId} and e.status <> 'DUPLICATED' and ${sql.ref(`e.${identifierColumns[by]}`)} = line.identifier`.execute(
    tx,
  )
  return rows[0] as ComparisonCounts
}

/**
 * The lines for an employer, and the number of lines for other employers of its organization that are open to the person, or with
 * a code that none of these has. Without the column `employer_code` all lines are for the employer.
 */
export async function byEmployer<Line extends PreviewLine>(
  tx: Tx,
  person: Parameters<typeof openTo>[0],
  { external_code, organization_id }: { external_code: string; organization_id: number },
  lines: readonly Line[],
): Promise<{ own: Line[]; others: number; no_employer: number }> {
  const own = lines.filter(({ employer_code: code }) => code === undefined || code === external_code)
  if (own.length === lines.length) return { own, others: 0, no_employer: 0 }
  const { rows } = await sql<{ external_code: string }>`select external_code from employers
    where organization_id = ${organization_id} and ${openTo(person, sql.ref('employers.id'))}`.execute(tx)
  const codes = new Set(rows.map((row) => row.external_code))
  const others = lines.filter(({ employer_code: code }) => code !== undefined && code !== external_code && codes.has(code)).length
  return { own, others, no_employer: lines.length - own.length - others }
}

/**
 * Lines of unknown people that an import rejects by their identifier, as `rejectSimilar` and `rejectDoubtful` do for `EMPLOYEE`.
 */
export async function unlikelyLines(
  tx: Tx,
  employerId: number,
  { kind, by }: { kind: MappingKind; by: IdentifierField },
  lines: readonly PreviewLine[],
): Promise<{ similar: { identifier: string; known: string; staff: boolean }[]; doubtful: string[] }> {
  const column = (of: string) => sql.ref(`${of}.${identifierColumns[by]}`)
  const left = kind === 'EMPLOYEE' ? sql`e.status not in ('TERMINATED', 'DELETED')` : sql`true`
  const { rows } = await sql<{ identifier: string; known: string | null; staff: boolean | null }>`
    with line as (select distinct identifier from json_to_recordset(${JSON.stringify(lines)}) line (identifier text)),
    nobody as (select identifier from line where not exists (select from employees e
      where e.employer_id = ${employerId} and e.status <> 'DUPLICATED' and ${column('e')} = line.identifier)),
    near as (select distinct on (nobody.identifier) nobody.identifier, ${column('e')} as known, ${staffOf('e')} as staff
      from nobody join employees e on e.employer_id = ${employerId} and e.status <> 'DUPLICATED' and ${left}
        and ${coreOf(column('e'))} = ${coreOf(sql.ref('nobody.identifier'))}
      where ${kind !== 'EMPLOYEE'} or not exists (select from line other where other.identifier = ${column('e')})
      order by nobody.identifier, ${column('e')} collate "C")
    select identifier, known, staff from near
    union all select identifier, null, null from nobody where ${kind === 'EMPLOYEE'} and identifier ~ ${doubtfulCodePattern}
      and not exists (select from near where near.identifier = nobody.identifier)
    order by identifier`.execute(tx)
  return {
    similar: rows.flatMap(({ identifier, known, staff }) =>
      known === null ? [] : [{ identifier, known, staff: staff === true }],
    ),
    doubtful: rows.flatMap(({ identifier, known }) => (known === null ? [identifier] : [])),
  }
}

/** Counts the staff that the identifiers match. */
export async function countStaff(
  tx: Tx,
  employerId: number,
  by: IdentifierField,
  identifiers: readonly string[],
): Promise<number> {
  if (identifiers.length === 0) return 0
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from employees e
    where e.employer_id = ${employerId} and ${staffOf('e')} and ${sql.ref(`e.${identifierColumns[by]}`)} = any(${[...identifiers]}::text[])`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

/** Whether an employer has a configuration, its own or its organization's. */
export async function hasConfiguration(tx: Tx, employerId: number): Promise<boolean> {
  return isFound(tx)`select 1 from employers e join configurations given
    on given.employer_id = e.id or given.organization_id = e.organization_id where e.id = ${employerId} limit 1`
}
