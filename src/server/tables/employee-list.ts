import { type RawBuilder, sql } from 'kysely'
import { employeeFilters, type listEmployees } from '#contract/employees.ts'
import type { QueryOf } from '#contract/define.ts'
import type { Count } from '#contract/list.ts'
import { restrictedStatus } from '#domain/employee.ts'
import { may, noPermission } from '#domain/permissions.ts'
import { Refused } from '#server/refused.ts'
import type { Actor, Tx } from '#server/route.ts'
import { fold, literally, matches, ranked } from '#server/tables/employee-search.ts'
import { estimate } from '#server/tables/estimate.ts'
import { type EmployeeRow, holds, readEmployees, seesRestricted } from '#server/tables/employees.ts'
import { type Position, type Stretch, walk } from '#server/tables/keyset.ts'
import { chosenFrom, isFew, reachOf } from '#server/tables/reach.ts'

type Query = QueryOf<typeof listEmployees>
/** The filters of the list, without order and page. */
export type EmployeeFilter = Partial<Record<string, unknown>>

/** Planner's units: below it a count takes some tens of milliseconds. */
const cheapCount = 30_000
/** Rows up to which the whole table is counted one by one. */
const fewRows = 250_000
/** Codes that a filter by a part of a department's code may stand for. */
const mostDepartments = 1_000

/** Refuses a filter or a sort by what is masked for the person: its answer would tell it. */
export function refuseMasked(actor: Actor, filter: EmployeeFilter, sort?: Query['sort']): void {
  const told =
    (sort === 'rate' && !holds(actor, 'read:wages')) ||
    (sort === 'available' && !holds(actor, 'read:work-period-balances')) ||
    employeeFilters.some(
      ({ needs, params }) =>
        needs &&
        may(actor.held, needs) !== 'yes' &&
        Object.values(params).some((names) => (names as readonly string[]).some((name) => filter[name] !== undefined)),
    )
  if (told) throw new Refused(403, 'permission-denied', noPermission)
}

/** A page of employees in the list's order, and where to go on from. */
export async function pageOfEmployees(
  tx: Tx,
  actor: Actor,
  query: Query,
  from: Position | null,
): Promise<{ rows: EmployeeRow[]; next: Position | null }> {
  const reach = reachOf(actor, query)
  const chosen = chosenFrom({
    table: sql`employees`,
    reach,
    merged: reach !== null && !query.q && (await isFew(tx, reach)),
    filter: conditionsOf(actor, await withDepartments(tx, query)),
    plain: reach === null && !query.q && !isFiltered(query),
    searching: Boolean(query.q),
  })
  return walk({
    stretches: stretchesOf(actor, query),
    from,
    direction: query.direction,
    limit: query.limit,
    find: (condition, order, limit) =>
      readEmployees(tx, actor, chosen(condition, order, limit), query.include ?? [], order.merged),
  })
}

const page = new Set(['limit', 'lek', 'direction', 'include', 'sort', 'sort-order'])
const isFiltered = (query: EmployeeFilter): boolean =>
  Object.entries(query).some(([name, value]) => value !== undefined && !page.has(name))

/** The order of a list as stretches; rows without a value come last both ways. */
function stretchesOf(actor: Pick<Actor, 'held'>, query: Query): Stretch[] {
  const descending = query['sort-order'] === 'desc'
  if (query.sort === 'id') return query.q && !descending ? ranked(query.q) : [{ where: found(query), descending }]
  const { column, nullable } = sorts[query.sort]
  const key = sql.ref(`e.${column}`)
  // Where a masked status stands in the order would tell it, and so would a cursor that ends there.
  if (query.sort === 'status' && !seesRestricted(actor))
    return [
      { where: sql<boolean>`${found(query)} and ${key} <> ${restrictedStatus}`, key, descending },
      { where: sql<boolean>`${found(query)} and ${key} = ${restrictedStatus}`, descending },
    ]
  const sameInEmployer = query.sort === 'employer'
  if (!nullable) return [{ where: found(query), key, descending, sameInEmployer }]
  return [
    { where: sql<boolean>`${found(query)} and ${key} is not null`, key, descending },
    { where: sql<boolean>`${found(query)} and ${key} is null`, key, descending },
  ]
}

const found = (query: Query) => (query.q ? matches(query.q) : sql<boolean>`true`)

const sorts = {
  name: { column: 'name_key', nullable: false },
  status: { column: 'status', nullable: false },
  employer: { column: 'employer_key', nullable: false },
  hire_date: { column: 'hire_date', nullable: true },
  rate: { column: 'hourly_amount', nullable: true },
  available: { column: 'available_amount', nullable: true },
  updated_at: { column: 'updated_at', nullable: false },
} as const

/**
 * The filter with the part of a department's code replaced by the codes that contain it: they are few, and the
 * planner knows how frequent each is. Found by leaping from code to code in the index.
 */
async function withDepartments(tx: Tx, filter: EmployeeFilter): Promise<EmployeeFilter> {
  const part = filter['department-code']
  if (typeof part !== 'string') return filter
  const { rows } = await sql<{ value: string }>`
    with recursive code(value) as (
      (select department_code from employees where department_code is not null order by department_code limit 1)
      union all
      select (select department_code from employees where department_code > value order by department_code limit 1)
      from code where value is not null
    ) select value from code where value ilike ${`%${literally(part)}%`} limit ${mostDepartments}`.execute(tx)
  return { ...filter, 'department-code': rows.map((row) => row.value) }
}

/** Every filter but the reach of employers and the search, as one condition on employees `e`. */
function conditionsOf(actor: Pick<Actor, 'held'>, filter: EmployeeFilter): RawBuilder<boolean> {
  const conditions: RawBuilder<unknown>[] = []
  // A masked status is found by no filter of the status, whatever it asks for.
  if ((filter.status !== undefined || filter['status-not'] !== undefined) && !seesRestricted(actor))
    conditions.push(sql`e.status <> ${restrictedStatus}`)
  const add = (name: string, make: (value: never) => RawBuilder<unknown>) => {
    if (filter[name] !== undefined) conditions.push(make(filter[name] as never))
  }
  for (const [param, column] of Object.entries(choices)) {
    const reference = sql.ref(`e.${column}`)
    add(param, (values: string[]) => oneOf(reference, values))
    add(`${param}-not`, (values: string[]) => sql`(${oneOf(reference, values)}) is not true`)
  }
  for (const [param, column] of Object.entries(userChoices)) {
    const users = (values: string[]) => sql`select id from users where ${oneOf(sql.ref(column), values)}`
    add(param, (values: string[]) => sql`e.user_id in (${users(values)})`)
    add(
      `${param}-not`,
      (values: string[]) =>
        sql`(e.user_id is null or (select ${oneOf(sql.ref(column), values)} from users where users.id = e.user_id) is not true)`,
    )
  }
  const linked = (values: string[], yes: string, no: string) =>
    values.includes(yes) && values.includes(no)
      ? sql`true`
      : values.includes(yes)
        ? sql`e.user_id is not null`
        : sql`e.user_id is null`
  add('linked', (values: string[]) => linked(values, 'YES', 'NO'))
  add('linked-not', (values: string[]) =>
    values.length > 1 && new Set(values).size > 1 ? sql`false` : linked(values, 'NO', 'YES'),
  )
  add('id', (ids: number[]) => sql`e.id = any(${ids}::bigint[])`)
  add('name', (text: string) => wordsIn(sql.ref('e.name_key'), text))
  add('employee-code', (text: string) => wordsIn(sql.ref('e.code_key'), text))
  add('department-code', (codes: string[]) => (codes.length === 0 ? sql`false` : oneOf(sql.ref('e.department_code'), codes)))
  add('hired-from', (date: string) => sql`e.hire_date >= ${date}`)
  add('hired-to', (date: string) => sql`e.hire_date <= ${date}`)
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

const choices = { status: 'status', brand: 'brand', 'pay-frequency': 'pay_frequency', flow: 'flow' }
const userChoices = { 'user-status': 'users.status', kyc: 'users.kyc_status' }

/** One by one, since the planner knows how frequent each value is, but not how frequent those of an array are. */
const oneOf = (column: RawBuilder<unknown>, values: string[]) => sql`${column} in (${sql.join(values)})`

/** Every word is inside the column; the text of the search holds it too, and has an index by trigrams. */
function wordsIn(column: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  const words = fold(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return sql<boolean>`true`
  const each = words.map((word) => {
    const pattern = `%${literally(word)}%`
    return sql`(${column} like ${pattern} and e.search_text like ${pattern})`
  })
  return sql<boolean>`(${sql.join(each, sql` and `)})`
}

/** The condition of a whole filter, search and reach included, on employees `e`. */
export async function filterOf(
  tx: Tx,
  actor: Pick<Actor, 'id' | 'kind' | 'held'>,
  filter: EmployeeFilter,
): Promise<RawBuilder<boolean>> {
  const reach = reachOf(actor, filter)
  const q = filter.q as string | undefined
  return sql<boolean>`${conditionsOf(actor, await withDepartments(tx, filter))} ${q ? sql`and ${matches(q)}` : sql``}
    ${reach ? sql`and e.employer_id in (select employer_id from ${reach} reach)` : sql``}`
}

/** How many a filter has: counted where that is quick, else as the planner estimates. Account managers get no estimate. */
export async function countOf(tx: Tx, actor: Actor, filter: EmployeeFilter): Promise<Count> {
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
