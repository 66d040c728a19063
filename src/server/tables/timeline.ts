import { type RawBuilder, sql } from 'kysely'
import type { listTimeline, TimelineEntry } from '#contract/timeline.ts'
import { employeeEvents } from '#domain/employee-event.ts'
import { may } from '#domain/permissions.ts'
import { type TimelineKind, timelineKinds, timelineNeeds } from '#domain/timeline.ts'
import type { Actor } from '#server/access/actor.ts'
import { conditionsOf, every, type FilterOf } from '#server/paging/define-list.ts'
import { exactTime, type Position, type Start } from '#server/paging/keyset.ts'
import { eventsAt } from '#server/tables/audit.ts'
import { businessDay, byDay, byDayOfTime, startOfDay } from '#server/tables/conditions.ts'
import type { Tx } from '#server/tables/database.ts'
import { maskEvent, eventsMatching } from '#server/tables/employee-events.ts'
import { linesOf, openLines, sharesOf } from '#server/tables/employee-invoices.ts'
import type { RowKey } from '#server/tables/rows.ts'
import { notesById, toNote } from '#server/tables/notes.ts'
import { transactionsAt } from '#server/tables/transactions.ts'
import { balancesOf } from '#server/tables/work-periods.ts'

type Filter = FilterOf<typeof listTimeline>
type Sql = RawBuilder<unknown>

/** The actor and the employee of a timeline; the caller checks access to the employee. */
interface TimelineContext {
  tx: Tx
  actor: Actor
  employee: RowKey & { user_id: number | null }
}

/** A source of entries of one kind, in the order of an index. */
interface Branch {
  kind: TimelineKind
  from: Sql
  where: Sql
  id: Sql
  /** The time of the entry. */
  at: Sql
  /** For entries dated by day: the indexed column; `at` is the start of that day. */
  day?: Sql
}

const e = (column: string) => sql.ref(`e.${column}`)

/** Whether rows `e` are those of an employee. */
const ofEmployee = ({ id, organization_id }: RowKey) => sql`e.employee_id = ${id} and e.organization_id = ${organization_id}`

/** The branches of each kind; `where` is the condition of the filters over events `e`. */
const branchesOfKind: {
  readonly [Kind in TimelineKind]: (asking: TimelineContext, where: Sql) => readonly Omit<Branch, 'kind'>[]
} = {
  EVENT: ({ employee: { id, user_id } }, where) =>
    [
      ['employee', id],
      ['user', user_id],
    ].flatMap(([entity, of]) =>
      of === null
        ? []
        : [
            {
              from: sql`audit_events e`,
              // A note is an entry of its own until it is deleted, so its event is left out.
              where: sql`e.entity = ${entity} and e.entity_id = ${String(of)} and ${where} and (e.status <> ${employeeEvents.noteAdded}
                or not exists (select from notes note where note.entity_type = e.entity and note.entity_id = e.entity_id
                  and note.user_id = e.actor_id and note.text = e.text))`,
              id: e('id'),
              at: e('at'),
            },
          ],
    ),
  TRANSACTION: ({ employee }) => [{ from: sql`transactions e`, where: ofEmployee(employee), id: e('id'), at: e('requested_at') }],
  BALANCE: ({ employee }) => [
    {
      from: sql`work_period_balances e`,
      where: ofEmployee(employee),
      id: e('id'),
      at: startOfDay(e('work_period_start')),
      day: e('work_period_start'),
    },
  ],
  // A person has few invoice lines, one per pay period: all are found by their index, then sorted.
  INVOICE: ({ actor, employee }) => [
    {
      from: linesOf(employee),
      where: openLines(actor),
      id: e('id'),
      at: startOfDay(sql.ref('i.report_date')),
      day: sql.ref('i.report_date'),
    },
  ],
  NOTE: ({ employee }) => [
    {
      from: sql`notes e`,
      where: sql`e.entity_type = 'employee' and e.entity_id = ${String(employee.id)}`,
      id: e('id'),
      at: e('created_at'),
    },
  ],
}

/** The date filters. */
type Days = Pick<Filter, 'date-from' | 'date-to' | 'date-on'>

/** The condition that an entry is on these days, on its indexed column. */
const onDays = async ({ at, day }: Pick<Branch, 'at' | 'day'>, days: Days, asking: TimelineContext): Promise<Sql> =>
  every(await conditionsOf<Days>(day ? byDay('date', day) : byDayOfTime('date', at), days, asking))

/** The branches to search for a filter: those of each kind that the person may see and the filter includes. */
async function branchesOf(asking: TimelineContext, filter: Filter): Promise<Branch[]> {
  const { kind, 'kind-not': kindNot, 'date-from': from, 'date-to': to, 'date-on': on, ...ofEvents } = filter
  const days = { 'date-from': from, 'date-to': to, 'date-on': on }
  const events = await eventsMatching(asking, ofEvents)
  const eventsOnly = Boolean(ofEvents.status ?? ofEvents.category)
  const branches = timelineKinds
    .filter((each) => may(asking.actor.held, timelineNeeds[each]) === 'yes')
    .filter((each) => (!kind || kind.includes(each)) && !kindNot?.includes(each) && (!eventsOnly || each === 'EVENT'))
    .flatMap((each) => branchesOfKind[each](asking, events).map((branch) => ({ ...branch, kind: each })))
  return Promise.all(
    branches.map(async (branch) => ({ ...branch, where: sql`${branch.where} and ${await onDays(branch, days, asking)}` })),
  )
}

const rankOf = (kind: TimelineKind): number => timelineKinds.indexOf(kind)

/** The condition that an entry of a branch comes after a position, which consists of rank, time and id. */
function beyond({ kind, id, at, day }: Branch, [rank, time, placeId]: Position, descending: boolean): Sql {
  const comparison = descending ? sql`<` : sql`>`
  const positionTime = sql`${time}::timestamptz`
  // Indexes and partition pruning need a condition on a single column, so that earlier pages are not read again.
  const bound = day ? sql`${day} ${comparison}= ${businessDay(positionTime)}` : sql`${at} ${comparison}= ${positionTime}`
  const own = rankOf(kind)
  if (own === rank) return sql`${bound} and (${at}, ${id}) ${comparison} (${positionTime}, ${placeId}::bigint)`
  return own < rank === descending
    ? sql`${bound} and ${at} ${comparison}= ${positionTime}`
    : sql`${bound} and ${at} ${comparison} ${positionTime}`
}

interface EntryRef {
  rank: number
  id: number
  /** To the microsecond. */
  at: string
}

/** A page of the timeline, newest first, and the position to continue from; null at the end. */
export async function pageOfTimeline(
  asking: TimelineContext,
  query: Filter & { limit: number; direction: 'after' | 'before' },
  from: Start,
): Promise<{ rows: TimelineEntry[]; next: Position | null }> {
  const { limit, direction } = query
  const branches = await branchesOf(asking, query)
  if (branches.length === 0) return { rows: [], next: null }
  const place = from === null || 'id' in from ? null : from
  const descending = direction === 'after'
  const sortDirection = descending ? sql`desc` : sql`asc`
  const nearest = branches.map((branch) => {
    const { kind, id, at, day } = branch
    return sql`(select ${rankOf(kind)}::int as rank, ${id} as id, ${at} as at from ${branch.from}
      where ${branch.where} and ${place ? beyond(branch, place, descending) : sql`true`}
      order by ${day ?? at} ${sortDirection}, ${id} ${sortDirection} limit ${limit + 1})`
  })
  const { rows } = await sql<EntryRef>`
    select found.rank, found.id, ${exactTime(sql.ref('found.at'))} as at from (${sql.join(nearest, sql` union all `)}) found
    order by found.at ${sortDirection}, found.rank ${sortDirection}, found.id ${sortDirection} limit ${limit + 1}`.execute(
    asking.tx,
  )
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    rows: await entriesAt(asking, descending ? page : page.reverse()),
    next: rows.length > limit && last ? [last.rank, last.at, last.id] : null,
  }
}

/** The number of entries that match a filter. */
export async function countOfTimeline(asking: TimelineContext, filter: Filter): Promise<{ count: number; exact: boolean }> {
  const counts = (await branchesOf(asking, filter)).map(
    ({ from, where }) => sql`select count(*) as count from ${from} where ${where}`,
  )
  if (counts.length === 0) return { count: 0, exact: true }
  const { rows } = await sql<{ count: number }>`
    select sum(count)::int as count from (${sql.join(counts, sql` union all `)}) each`.execute(asking.tx)
  return { count: rows[0]?.count ?? 0, exact: true }
}

type TimelineEntries = readonly (readonly [id: number, entry: object])[]

/** Reads the entries of each kind in the form of their own list. */
const readers: {
  readonly [Kind in TimelineKind]: (asking: TimelineContext, found: readonly EntryRef[]) => Promise<TimelineEntries>
} = {
  EVENT: async ({ tx, actor }, found) =>
    (await eventsAt(tx, found)).map((event) => [event.id, { event: maskEvent(event, actor) }]),
  TRANSACTION: async ({ tx, employee }, found) =>
    (await transactionsAt(tx, employee.organization_id, found)).map((transaction) => [transaction.id, { transaction }]),
  BALANCE: async ({ tx, employee }, found) =>
    (await balancesOf(tx, employee, idsOf(found))).map((balance) => [balance.id, { balance }]),
  INVOICE: async ({ tx, employee }, found) =>
    (await sharesOf(tx, employee.organization_id, idsOf(found))).map((invoice) => [invoice.line.id, { invoice }]),
  NOTE: async ({ tx, actor }, found) =>
    (await notesById(tx, idsOf(found))).map((note) => [note.id, { note: toNote(note, actor) }]),
}

const idsOf = (found: readonly EntryRef[]): number[] => found.map(({ id }) => id)

/** The entries at these positions; those deleted in the meantime are left out. */
async function entriesAt(asking: TimelineContext, page: readonly EntryRef[]): Promise<TimelineEntry[]> {
  const read = new Map<string, object>()
  for (const kind of timelineKinds) {
    const found = page.filter(({ rank }) => rank === rankOf(kind))
    if (found.length === 0) continue
    for (const [id, entry] of await readers[kind](asking, found)) read.set(`${kind}-${id}`, entry)
  }
  return page.flatMap(({ rank, id, at }) => {
    const kind = timelineKinds[rank] as TimelineKind
    const entry = read.get(`${kind}-${id}`)
    return entry ? [{ id: `${kind}-${id}`, kind, at: new Date(at).toISOString(), ...entry } as TimelineEntry] : []
  })
}
