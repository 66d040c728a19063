import { type RawBuilder, sql } from 'kysely'
import type { QueryOf } from '#contract/define.ts'
import type { Count } from '#contract/list.ts'
import type { listUsers } from '#contract/users.ts'
import { type Asking, type Conditions, conditionsOf, every, type FilterOf, type List } from '#server/paging/define-list.ts'
import { cheapCount, estimate } from '#server/paging/estimate.ts'
import { type Position, type Segment, scan, type Start } from '#server/paging/keyset.ts'
import { chosenFrom, isFew, reachOf } from '#server/paging/reach.ts'
import { businessDay, choice, byDay, empty, idIn, oneOfTexts, words, yesOrNo } from '#server/tables/conditions.ts'
import { matches, ranked } from '#server/tables/employee-search.ts'
import { readUsers, type WholeUser } from '#server/tables/users.ts'

type Query = QueryOf<typeof listUsers>
type UserFilter = FilterOf<typeof listUsers>

/** The conditions on users `e` of every filter other than companies and the search. */
const filters: Conditions<Omit<UserFilter, 'q' | 'employer-id' | 'organization-id'>> = {
  ...choice('status', sql.ref('e.status')),
  ...choice('kyc', sql.ref('e.kyc_status')),
  ...choice('brand', sql.ref('e.brand')),
  ...yesOrNo('linked', sql`e.employer_id is not null`),
  ...yesOrNo('password', sql`e.force_password_change`),
  id: idIn(sql.ref('e.id')),
  name: (text) => inside(sql.ref('e.name_key'), text),
  email: (text) => inside(sql.ref('e.email_key'), text),
  ...oneOfTexts('email', sql.ref('e.email')),
  ...byDay('signed-in', businessDay(sql.ref('e.last_sign_in_at'))),
  ...empty('signed-in', sql.ref('e.last_sign_in_at')),
  ...byDay('joined', businessDay(sql.ref('e.created_at'))),
}

/** Whether every word is in the column; the same condition on the search text allows its trigram index. */
const inside = (column: RawBuilder<unknown>, text: string): RawBuilder<boolean> =>
  every([...words(column, text), ...words(sql.ref('e.search_text'), text)])

const sorts = {
  name: { column: 'name_key', nullable: false },
  status: { column: 'status', nullable: false },
  last_sign_in_at: { column: 'last_sign_in_at', nullable: true },
  created_at: { column: 'created_at', nullable: false },
} as const

/** The order of a list as segments; users who never signed in come last in both directions. */
function segmentsOf({ sort, q, 'sort-order': order }: Query): Segment[] {
  const descending = order === 'desc'
  const where = q ? matches(q) : sql<boolean>`true`
  if (sort === 'id') return q && !descending ? ranked(q, { keys: ['email_key'] }) : [{ where, descending }]
  const { column, nullable } = sorts[sort]
  const key = sql.ref(`e.${column}`)
  if (!nullable) return [{ where, key, descending }]
  return [
    { where: sql<boolean>`${where} and ${key} is not null`, key, descending },
    { where: sql<boolean>`${where} and ${key} is null`, descending },
  ]
}

/** A page of users in the list's order, and the cursor to continue from; users without an employee belong to no employer. */
async function page({ tx, actor }: Asking, query: Query, from: Start): Promise<{ rows: WholeUser[]; next: Position | null }> {
  const reach = reachOf(actor, query)
  const conditions = await conditionsOf(filters, query, { tx, actor })
  const chosen = chosenFrom({
    table: 'users',
    reach,
    merged: reach !== null && !query.q && (await isFew(tx, reach)),
    filter: every(conditions),
    plain: reach === null && !query.q && conditions.length === 0,
    searching: Boolean(query.q),
  })
  return scan({
    segments: segmentsOf(query),
    from,
    direction: query.direction,
    limit: query.limit,
    find: (condition, order, limit) => readUsers(tx, chosen(condition, order, limit), order.merged),
  })
}

/** The number of matching users: counted where that is quick, else the planner's estimate. Account managers get no estimate. */
async function count({ tx, actor }: Asking, filter: UserFilter): Promise<Count> {
  const reach = reachOf(actor, filter)
  const condition = every([
    ...(await conditionsOf(filters, filter, { tx, actor })),
    ...(filter.q ? [matches(filter.q)] : []),
    ...(reach ? [sql`e.employer_id in (select employer_id from ${reach} reach)`] : []),
  ])
  const from = sql`from users e where ${condition}`
  if (actor.kind === 'ADMIN') {
    const { rows, cost } = await estimate(tx, sql`select 1 ${from}`)
    if (cost > cheapCount) return { count: rows, exact: false }
  }
  const { rows } = await sql<{ count: number }>`select count(*)::int as count ${from}`.execute(tx)
  return { count: rows[0]?.count ?? 0, exact: true }
}

/** The list of users. */
export const userList: List<typeof listUsers, WholeUser> = { page, count }
