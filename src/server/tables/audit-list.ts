import { type RawBuilder, sql } from 'kysely'
import type { AuditEvent, listAuditEvents } from '#contract/audit-events.ts'
import type { QueryOf } from '#contract/define.ts'
import type { Count } from '#contract/list.ts'
import { type AuditKindName, auditKindsFor } from '#domain/audit.ts'
import type { Actor } from '#server/access/actor.ts'
import { openCompanies, openTo, organizationOpenTo } from '#server/access/scope.ts'
import { type Asking, type Conditions, conditionsOf, every, type FilterOf } from '#server/paging/define-list.ts'
import { cheapCount, estimate } from '#server/paging/estimate.ts'
import { exactTime, type Order, type Position, scan, type Start } from '#server/paging/keyset.ts'
import { type EventPlace, eventsAre, eventsAt } from '#server/tables/audit.ts'
import { bareId, byCommand, byWords, calledByName } from '#server/tables/audit-search.ts'
import { withOpenAllocations, withOpenDebtor, withoutNames, withoutReferences } from '#server/tables/mask-events.ts'
import { choice, byDayOfTime, idIn } from '#server/tables/conditions.ts'
import type { Tx } from '#server/tables/database.ts'
import { maskEvent, mentionsMaskedStatus } from '#server/tables/employee-events.ts'
import { hasPermission, seesRestricted } from '#server/tables/employees.ts'
import { numberOf } from '#server/tables/invoices.ts'
import { referenceOf } from '#server/tables/repayments.ts'
import { accountManagerOpenTo } from '#server/tables/staff.ts'

type Query = QueryOf<typeof listAuditEvents>
type Filter = FilterOf<typeof listAuditEvents>
type Sql = RawBuilder<unknown>

const e = (column: string) => sql.ref(`e.${column}`)

/** The owners whose events are open to an account manager, as a subquery with `belongs_to`; null for admins. */
function reachOf(actor: Actor): Sql | null {
  const companies = openCompanies(actor)
  if (!companies) return null
  return sql`(
    select lower(company_type) || ':' || company_id as belongs_to from ${companies} company
    union all
    select 'account-manager:' || e.id from people e where e.kind = 'ACCOUNT_MANAGER' and ${accountManagerOpenTo(actor)}
    union all
    select unnest(array['person:' || ${actor.id}::text, 'views:' || ${actor.id}::text])
  )`
}

/** The events that a person's permissions allow, in any company. */
function readable(actor: Actor): Sql {
  const seesAllSignIns = actor.kind === 'ADMIN' && hasPermission(actor, 'read:admins')
  return every([
    sql`e.entity in (${sql.join(auditKindsFor(actor.held))})`,
    // Views are visible to their owner only, and sign-ins to their person and to people who see admins.
    sql`(e.entity <> 'views' or e.entity_id = ${actor.id})`,
    ...(seesAllSignIns ? [] : [sql`(e.entity <> 'person' or e.entity_id = ${actor.id})`]),
    // Billing accounts require read:billing, and so do their events.
    ...(hasPermission(actor, 'read:billing') ? [] : [sql`(e.entity <> 'organization' or e.intent not like 'billing-account.%')`]),
    // A user may have left the employer in the meantime.
    ...(actor.kind === 'ADMIN'
      ? []
      : [
          sql`case e.entity when 'user' then exists (select from users u
            where u.id = e.entity_id::bigint and 'employer:' || u.employer_id = e.belongs_to) else true end`,
        ]),
  ])
}

const byPeople = (ids: readonly string[]) => sql`e.actor_id = any(${[...ids]}::text[])`

const filters: Conditions<Filter> = {
  q: byWords,
  id: idIn(e('id')),
  'admin-id': byPeople,
  'account-manager-id': byPeople,
  ...choice('kind', e('entity')),
  record: (id) => sql`e.entity_id = ${bareId(id)}`,
  command: byCommand,
  ...byDayOfTime('date', e('at')),
}

const conditionFor = async (asking: Asking, filter: Filter): Promise<RawBuilder<boolean>> =>
  every([readable(asking.actor), ...(await conditionsOf<Filter>(filters, filter, asking))])

/** Maximum number of owners whose events are merged from one index scan each, */
const maxMerged = 200
/** and the maximum where a filter may skip most of their events. */
const maxSiftedWithFilter = 20
/** Filters that match few events and have indexes of their own. */
const selectiveFilters = ['q', 'admin-id', 'account-manager-id', 'command'] as const

/**
 * The plan for a page of these owners: one index scan per owner, merged, or one scan that skips the others, for which a filter
 * may have its own index.
 */
async function scanPlanOf(tx: Tx, reach: Sql | null, filter: Filter): Promise<'merged' | 'sifted' | 'in-order'> {
  if (!reach) return 'in-order'
  const sifts = selectiveFilters.some((name) => filter[name])
  const maxSifted = sifts ? maxSiftedWithFilter : maxMerged
  const { rows } = await sql<{ few: boolean }>`
    select count(*) <= ${maxSifted} as few from (select 1 from ${reach} reach limit ${maxSifted + 1}) counted`.execute(tx)
  return rows[0]?.few ? 'merged' : sifts ? 'sifted' : 'in-order'
}

/** Selects the ids of a page. */
function chosenFrom(reach: Sql | null, scanPlan: Awaited<ReturnType<typeof scanPlanOf>>, filter: RawBuilder<boolean>) {
  return (condition: RawBuilder<boolean>, order: Order, limit: number): Sql => {
    const select = sql`select e.id, ${order.key} as key from audit_events e where ${filter} and ${condition}`
    if (!reach) return sql`${select} order by ${order.whole} limit ${limit}`
    const owner = scanPlan === 'sifted' ? sql`e.belongs_to` : sql`(e.belongs_to || '')`
    if (scanPlan !== 'merged')
      return sql`${select} and ${owner} = any(array(select belongs_to from ${reach} reach)) order by ${order.whole} limit ${limit}`
    return sql`select chosen.id, chosen.key from ${reach} reach cross join lateral (
      ${select} and e.belongs_to = reach.belongs_to order by ${order.whole} limit ${limit}
    ) chosen order by ${order.merged} limit ${limit}`
  }
}

interface Place {
  id: number
  /** The time of the event, to the microsecond. */
  key: string
}

const placesOf = (rows: readonly Place[]): EventPlace[] => rows.map(({ id, key }) => ({ id, at: key }))

/** A page of the events that match a filter, and the cursor to continue from. */
export async function pageOfAudit(
  asking: Asking,
  query: Filter & Pick<Query, 'limit' | 'direction' | 'sort-order'>,
  from: Start,
): Promise<{ rows: AuditRow[]; next: Position | null }> {
  const { tx, actor } = asking
  const reach = reachOf(actor)
  const chosen = chosenFrom(reach, await scanPlanOf(tx, reach, query), await conditionFor(asking, query))
  const { rows, next } = await scan<Place>({
    segments: [{ key: e('at'), descending: query['sort-order'] === 'desc', partitions: true }],
    from,
    direction: query.direction,
    limit: query.limit,
    find: async (condition, order, limit) => {
      const found = sql`select chosen.id, ${exactTime(sql.ref('chosen.key'))} as key
        from (${chosen(condition, order, limit)}) chosen order by ${order.merged}`
      return (await sql<Place>`${found}`.execute(tx)).rows
    },
  })
  return { rows: await rowsAt(asking, placesOf(rows)), next }
}

/** Maximum number of events counted exactly where an estimate must not be used. */
const maxCounted = 50_000

/**
 * The number of matching events: counted where that is quick, else the planner's estimate. An estimate would reveal events of
 * other companies to account managers, so theirs are counted up to a maximum.
 */
export async function countOfAudit(asking: Asking, filter: Filter): Promise<Count> {
  const { tx, actor } = asking
  const reach = reachOf(actor)
  const open = reach ? sql`e.belongs_to in (select belongs_to from ${reach} reach)` : sql`true`
  const from = sql`from audit_events e where ${await conditionFor(asking, filter)} and ${open}`
  if (!reach) {
    const { rows, cost } = await estimate(tx, sql`select 1 ${from}`)
    if (cost > cheapCount) return { count: rows, exact: false }
  }
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select 1 ${from} limit ${maxCounted + 1}) counted`.execute(tx)
  const count = rows[0]?.count ?? 0
  return { count: Math.min(count, maxCounted), exact: count <= maxCounted }
}

/** One event, if it is open to the person. */
export async function oneOfAudit(asking: Asking, id: number): Promise<AuditRow | null> {
  const reach = reachOf(asking.actor)
  const open = reach ? sql`e.belongs_to in (select belongs_to from ${reach} reach)` : sql`true`
  const { rows } = await sql<Place>`select e.id, ${exactTime(e('at'))} as key from audit_events e
    where e.id = ${id} and ${readable(asking.actor)} and ${open}`.execute(asking.tx)
  return (await rowsAt(asking, placesOf(rows)))[0] ?? null
}

/** An event with its owner. */
export interface AuditRow extends AuditEvent {
  /** `employer:12` */
  belongs_to: string
}

/** An event as returned by the API. */
export const toAuditEvent = ({ belongs_to: _, ...event }: AuditRow): AuditEvent => event

/** The columns of an event that histories do not have. */
interface EventRow {
  id: number
  entity: AuditKindName
  entity_id: string
  entity_name: string | null
  intent: string
  command: string | null
  belongs_to: string
}

/** Events in the order of their places, with the details that the person may see. */
async function rowsAt({ tx, actor }: Asking, places: readonly EventPlace[]): Promise<AuditRow[]> {
  if (places.length === 0) return []
  const { rows } = await sql<EventRow>`select e.id, e.entity, e.entity_id, e.intent, e.command, e.belongs_to,
      coalesce(person.name, employer.internal_name, organization.name) as entity_name
    from audit_events e left join people person
      on e.entity in (${sql.join(calledByName.people)}) and person.id::text = e.entity_id
    left join employers employer
      on employer.id = case e.entity when 'employer' then e.entity_id::bigint end and ${openTo(actor, sql.ref('employer.id'))}
    left join organizations organization
      on organization.id = case e.entity when 'organization' then e.entity_id::bigint end
      and ${organizationOpenTo(actor, sql.ref('organization.id'))}
    where ${eventsAre(places)}`.execute(tx)
  const eventsById = new Map((await eventsAt(tx, places)).map((event) => [event.id, event]))
  const filed = new Map(rows.map((row) => [row.id, row]))
  const invoices = rows.filter(({ entity }) => entity === 'invoice').map(({ entity_id }) => entity_id)
  const open = await withOpenDebtor(tx, actor, invoices)
  const events = places.flatMap(({ id }) => {
    const event = eventsById.get(id)
    const row = filed.get(id)
    return event && row ? [maskFor(actor, { ...event, ...row, entity_name: nameOf(row) }, open)] : []
  })
  return withOpenAllocations(tx, actor, events)
}

/**
 * The name that staff use for a record in place of its id: the number of an invoice or a repayment, the name of a person or a
 * company.
 */
function nameOf({ entity, entity_id, entity_name }: EventRow): string | null {
  if (entity === 'invoice') return numberOf(Number(entity_id))
  return entity === 'repayment' ? referenceOf(Number(entity_id)) : entity_name
}

/** Masks an event for the actor: as in the history of its record, and without the command of a masked event. */
function maskFor(actor: Actor, event: AuditRow, openInvoices: ReadonlySet<string>): AuditRow {
  switch (event.entity) {
    case 'employee':
    case 'user': {
      const hidden = !seesRestricted(actor) && mentionsMaskedStatus(event) ? { intent: null, command: null } : {}
      return { ...event, ...maskEvent(event, actor), ...hidden }
    }
    case 'account-manager':
      return actor.kind === 'ADMIN' ? event : withoutNames(event)
    case 'invoice':
      return openInvoices.has(event.entity_id) ? event : withoutReferences(event)
    default:
      return event
  }
}
