import { type RawBuilder, sql } from 'kysely'
import { employeeDetails, employeeFilters, type listEmployees } from '#contract/employees.ts'
import type { QueryOf } from '#contract/define.ts'
import type { Count } from '#contract/list.ts'
import { restrictedStatus } from '#domain/employee.ts'
import { may, noPermission } from '#domain/permissions.ts'
import { Refused } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { empty, oneOfTexts, choice, byDay, idIn, oneOf, words, yesOrNo } from '#server/tables/conditions.ts'
import { detailConditions } from '#server/tables/details.ts'
import { type Conditions, conditionsOf, every, type FilterOf, type List } from '#server/paging/define-list.ts'
import { companyWords, literally, matches, type NamedBy, ranked } from '#server/tables/employee-search.ts'
import { employersNamed } from '#server/tables/employers-named.ts'
import { cheapCount, estimate } from '#server/paging/estimate.ts'
import { pausedSince, reporting } from '#server/tables/employee-states.ts'
import { type EmployeeRow, hasPermission, readEmployees, seesRestricted } from '#server/tables/employees.ts'
import { type Position, type Segment, scan, type Start } from '#server/paging/keyset.ts'
import { chosenFrom, isFew, reachOf } from '#server/paging/reach.ts'

type Query = QueryOf<typeof listEmployees>
/** The filters of the list, without order and page. */
export type EmployeeFilter = FilterOf<typeof listEmployees>

/** Maximum number of rows for an exact count of the whole table. */
const fewRows = 250_000
/** Maximum number of distinct codes that a filter by part of a code may expand to. */
const maxCodes = 1_000

/** Refuses a filter or sort by data masked for the person, since the answer would reveal it. */
export function refuseMasked(actor: Actor, filter: EmployeeFilter, sort?: Query['sort']): void {
  const columns =
    (sort === 'rate' && !hasPermission(actor, 'read:wages')) ||
    (sort === 'available' && !hasPermission(actor, 'read:work-period-balances')) ||
    employeeFilters.some(
      ({ needs, params }) =>
        needs &&
        may(actor.held, needs) !== 'yes' &&
        Object.values(params).some((names) =>
          (names as readonly (keyof EmployeeFilter)[]).some((name) => filter[name] !== undefined),
        ),
    )
  if (columns) throw new Refused(403, 'permission-denied', noPermission)
}

/** A page of employees in the list's order, and the cursor to continue from. */
export async function pageOfEmployees(
  tx: Tx,
  actor: Actor,
  query: Query,
  from: Start,
): Promise<{ rows: EmployeeRow[]; next: Position | null }> {
  const reach = reachOf(actor, query)
  const chosen = chosenFrom({
    table: 'employees',
    reach,
    merged: reach !== null && !query.q && (await isFew(tx, reach)),
    filter: every(await conditionsOf(filters, query, { tx, actor })),
    plain: reach === null && !query.q && !isFiltered(query),
    searching: Boolean(query.q),
  })
  return scan({
    segments: segmentsOf(actor, query, await namedBy(tx, query.q)),
    from,
    direction: query.direction,
    limit: query.limit,
    find: (condition, order, limit) =>
      readEmployees(tx, actor, chosen(condition, order, limit), query.include ?? [], order.merged),
  })
}

const page = new Set(['limit', 'lek', 'direction', 'from-id', 'include', 'sort', 'sort-order'])
const isFiltered = (query: object): boolean =>
  Object.entries(query).some(([name, value]) => value !== undefined && !page.has(name))

/** The order of a list as segments; rows without a value come last in both directions. */
function segmentsOf(actor: Pick<Actor, 'held'>, query: Query, named: NamedBy): Segment[] {
  const descending = query['sort-order'] === 'desc'
  const found = query.q ? matches(query.q, named) : sql<boolean>`true`
  if (query.sort === 'id') return query.q && !descending ? ranked(query.q, { named }) : [{ where: found, descending }]
  const { column, nullable } = sorts[query.sort]
  const key = sql.ref(`e.${column}`)
  // The position of a masked status in the order would reveal it, and so would a cursor after it.
  if (query.sort === 'status' && !seesRestricted(actor))
    return [
      { where: sql<boolean>`${found} and ${key} <> ${restrictedStatus}`, key, descending },
      { where: sql<boolean>`${found} and ${key} = ${restrictedStatus}`, descending },
    ]
  const sameInEmployer = query.sort === 'employer'
  if (!nullable) return [{ where: found, key, descending, sameInEmployer }]
  return [
    { where: sql<boolean>`${found} and ${key} is not null`, key, descending },
    { where: sql<boolean>`${found} and ${key} is null`, key, descending },
  ]
}

/** The employers named by each word of a search; empty without a search. */
const namedBy = async (tx: Tx, q: string | undefined): Promise<NamedBy> => (q ? employersNamed(tx, companyWords(q)) : [])

const sorts = {
  name: { column: 'name_key', nullable: false },
  status: { column: 'status', nullable: false },
  employer: { column: 'employer_key', nullable: false },
  hire_date: { column: 'hire_date', nullable: true },
  rate: { column: 'hourly_amount', nullable: true },
  available: { column: 'available_amount', nullable: true },
  updated_at: { column: 'updated_at', nullable: false },
} as const

type CodeColumn = 'department_code' | 'business_unit_code' | 'location_code' | 'payroll_code'

/**
 * A filter by part of a code. There are few distinct codes: they are found by a loose index scan of the column and listed one by
 * one, since the planner knows the frequency of each.
 */
const codeContains =
  (name: CodeColumn) =>
  async (part: string, { tx }: { tx: Tx }): Promise<RawBuilder<unknown>> => {
    const column = sql.ref(name)
    const { rows } = await sql<{ value: string }>`
      with recursive code(value) as (
        (select ${column} from employees where ${column} is not null order by ${column} limit 1)
        union all
        select (select ${column} from employees where ${column} > value order by ${column} limit 1)
        from code where value is not null
      ) select value from code where value ilike ${`%${literally(part)}%`} limit ${maxCodes}`.execute(tx)
    return rows.length === 0 ? sql`false` : oneOf(sql.ref(`e.${name}`))(rows.map(({ value }) => value))
  }

/** No filter by status finds a masked status, whatever its value. */
const unmasked = (condition: RawBuilder<unknown>, actor: Actor): RawBuilder<unknown> =>
  seesRestricted(actor) ? condition : sql`(e.status <> ${restrictedStatus} and ${condition})`

const status = choice('status', sql.ref('e.status'))

/** Both filters of a choice over a column of the linked user; employees without a user have no value. */
const ofUser = <const Name extends string>(name: Name, column: string) => {
  const is = oneOf(sql.ref(column))
  return {
    [name]: (values: readonly string[]) => sql`e.user_id in (select id from users where ${is(values)})`,
    [`${name}-not`]: (values: readonly string[]) =>
      sql`(e.user_id is null or (select ${is(values)} from users where users.id = e.user_id) is not true)`,
  } as { readonly [Key in Name | `${Name}-not`]: (values: readonly string[]) => RawBuilder<unknown> }
}

/** Both filters of a choice whose values are conditions of their own; employees without a value match none. */
const lasting = <const Name extends string, Value extends string>(name: Name, one: (value: Value) => RawBuilder<unknown>) => {
  const anyOf = (values: readonly string[]) => sql`(${sql.join((values as readonly Value[]).map(one), sql` or `)})`
  return { [name]: anyOf, [`${name}-not`]: (values: readonly string[]) => sql`(${anyOf(values)} is not true)` } as {
    readonly [Key in Name | `${Name}-not`]: (values: readonly string[]) => RawBuilder<unknown>
  }
}

/** The conditions on employees `e` of every filter other than employers, organizations and the search. */
const filters: Conditions<Omit<EmployeeFilter, 'q' | 'employer-id' | 'organization-id'>> = {
  status: (values, { actor }) => unmasked(status.status(values), actor),
  'status-not': (values, { actor }) => unmasked(status['status-not'](values), actor),
  ...choice('brand', sql.ref('e.brand')),
  ...choice('pay-frequency', sql.ref('e.pay_frequency')),
  ...empty('pay-frequency', sql.ref('e.pay_frequency')),
  ...choice('flow', sql.ref('e.flow')),
  ...ofUser('user-status', 'users.status'),
  ...ofUser('kyc', 'users.kyc_status'),
  ...yesOrNo('linked', sql`e.user_id is not null`),
  id: idIn(sql.ref('e.id')),
  name: (text) => wordsIn(sql.ref('e.name_key'), text),
  'employee-code': (text) => wordsIn(sql.ref('e.code_key'), text),
  ...oneOfTexts('employee-code', sql.ref('e.employee_code')),
  ...detailConditions(employeeDetails),
  'department-code': codeContains('department_code'),
  'business-unit-code': codeContains('business_unit_code'),
  'location-code': codeContains('location_code'),
  'payroll-code': codeContains('payroll_code'),
  ...lasting('paused', pausedSince),
  ...lasting('reports', reporting),
  ...byDay('hired', sql.ref('e.hire_date')),
  ...empty('hired', sql.ref('e.hire_date')),
}

/** Whether every word is in the column; the same condition on the search text allows its trigram index. */
const wordsIn = (column: RawBuilder<unknown>, text: string): RawBuilder<boolean> =>
  every([...words(column, text), ...words(sql.ref('e.search_text'), text)])

/** The condition of a whole filter, including search and companies, on employees `e`. */
export async function filterOf(tx: Tx, actor: Actor, filter: EmployeeFilter): Promise<RawBuilder<boolean>> {
  const reach = reachOf(actor, filter)
  const { q } = filter
  const searched = q ? sql`and ${matches(q, await namedBy(tx, q))}` : sql``
  return sql<boolean>`${every(await conditionsOf(filters, filter, { tx, actor }))} ${searched}
    ${reach ? sql`and e.employer_id in (select employer_id from ${reach} reach)` : sql``}`
}

/** The number of matching employees: counted where that is quick, else the planner's estimate. Account managers get no estimate. */
async function countOf(tx: Tx, actor: Actor, filter: EmployeeFilter): Promise<Count> {
  const from = sql`from employees e where ${await filterOf(tx, actor, filter)}`
  if (actor.kind === 'ADMIN') {
    const all = Object.values(filter).every((value) => value === undefined || value === '')
    const estimated = all ? await rowsOfTable(tx) : await estimate(tx, sql`select 1 ${from}`)
    if (all ? estimated.rows > fewRows : estimated.cost > cheapCount) return { count: estimated.rows, exact: false }
  }
  const { rows } = await sql<{ count: number }>`select count(*)::int as count ${from}`.execute(tx)
  return { count: rows[0]?.count ?? 0, exact: true }
}

async function rowsOfTable(tx: Tx): Promise<{ rows: number; cost: number }> {
  const { rows } = await sql<{
    rows: number
  }>`select reltuples::bigint as rows from pg_class where oid = 'employees'::regclass`.execute(tx)
  return { rows: rows[0]?.rows ?? 0, cost: 0 }
}

/** The list of employees. */
export const employeeList: List<typeof listEmployees, EmployeeRow> = {
  page: async ({ tx, actor }, query, from) => {
    refuseMasked(actor, query, query.sort)
    return pageOfEmployees(tx, actor, query, from)
  },
  count: async ({ tx, actor }, filter) => {
    refuseMasked(actor, filter)
    return countOf(tx, actor, filter)
  },
}
