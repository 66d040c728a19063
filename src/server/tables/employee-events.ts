import { type RawBuilder, sql } from 'kysely'
import type { listEmployeeEvents } from '#contract/employees.ts'
import type { HistoryEvent } from '#contract/history.ts'
import { employeeStatuses, personalFields, restrictedStatus } from '#domain/employee.ts'
import { employeeEvents } from '#domain/employee-event.ts'
import { type Asking, type Conditions, conditionsOf, every, type FilterOf } from '#server/paging/define-list.ts'
import { choice } from '#server/tables/conditions.ts'
import type { Actor } from '#server/access/actor.ts'
import { openTo } from '#server/access/scope.ts'
import { hasPermission, seesRestricted } from '#server/tables/employees.ts'

type Filter = FilterOf<typeof listEmployeeEvents>

const filters: Conditions<Filter> = {
  ...choice('status', sql.ref('e.status')),
  ...choice('category', sql.ref('e.category')),
}

/** The names of the masked status, as a value and as a label. */
const restricted = [restrictedStatus, employeeStatuses.label(restrictedStatus)]

/** Whether an event does not mention the masked status. */
export const hidesMaskedStatus = every(
  restricted.map((name) => sql`strpos(concat_ws(' ', e.status, e.text, e.before, e.after), ${name}) = 0`),
)

/**
 * For an account manager, excludes events filed under an employer that is closed to them: a user is linked to one employer after
 * another, and events of each are visible only with access to that employer, as in the audit.
 */
const ofOpenEmployers = (actor: Actor): RawBuilder<boolean>[] =>
  actor.kind === 'ADMIN'
    ? []
    : [
        sql<boolean>`case when e.belongs_to like 'employer:%' then ${openTo(actor, sql`split_part(e.belongs_to, ':', 2)::bigint`)}
          else true end`,
      ]

/** The condition of a filter over events `e`; filters must not find events by masked data. */
export async function eventsMatching(asking: Asking, filter: Filter): Promise<RawBuilder<boolean>> {
  const masked = (filter.status ?? filter['status-not']) !== undefined && !seesRestricted(asking.actor)
  const conditions = await conditionsOf(filters, filter, asking)
  return every([...conditions, ...ofOpenEmployers(asking.actor), ...(masked ? [hidesMaskedStatus] : [])])
}

const masked = (value: unknown): unknown => (value === restrictedStatus ? employeeStatuses.label(null) : value)

/** Whether an event mentions the masked status. */
export function mentionsMaskedStatus({ status, text, changes }: Pick<HistoryEvent, 'status' | 'text' | 'changes'>): boolean {
  const key = JSON.stringify([status, text, changes])
  return restricted.some((name) => key.includes(name))
}

/** An event without the masked status, under either name. */
function withoutRestricted(event: HistoryEvent): HistoryEvent {
  if (!mentionsMaskedStatus(event)) return event
  const changes = event.changes.map(({ field, before, after }) => ({ field, before: masked(before), after: masked(after) }))
  const { undo: _, ...rest } = event
  return { ...rest, status: employeeStatuses.label(null), text: null, changes }
}

/** Fields of a work period balance in events. */
const balanceFields = new Set(['work_period_balance_id', 'earned_amount', 'limit_amount', 'available_amount'])

/** An event without its balance fields, and without the text that a person wrote about them. */
function withoutBalance(event: HistoryEvent): HistoryEvent {
  const changes = event.changes.filter(({ field }) => !balanceFields.has(field))
  return changes.length === event.changes.length ? event : { ...event, text: null, changes }
}

const personal: ReadonlySet<string> = new Set(personalFields)

/**
 * An event without birth date and address of an employee; a user's address change stays visible through `address_changed`, as in
 * the user's record.
 */
const withoutPersonal = (event: HistoryEvent): HistoryEvent =>
  event.status === employeeEvents.addressChanged
    ? event
    : { ...event, changes: event.changes.filter(({ field }) => !personal.has(field)) }

/** An event without the fields that are masked for the person. */
export function maskEvent(event: HistoryEvent, actor: Pick<Actor, 'held'>): HistoryEvent {
  const masks = [
    ...(seesRestricted(actor) ? [] : [withoutRestricted]),
    ...(hasPermission(actor, 'read:work-period-balances') ? [] : [withoutBalance]),
    ...(hasPermission(actor, 'read:personal-details') ? [] : [withoutPersonal]),
  ]
  return masks.reduce((shown, mask) => mask(shown), event)
}
