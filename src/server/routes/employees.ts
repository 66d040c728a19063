import {
  changePay,
  pause,
  resume,
  setOffCyclePaid,
  terminateOffCycle,
  unlink,
  unlinkEmployee,
  updateEmployee,
} from '#contract/employee-changes.ts'
import {
  canUnpause,
  countEmployees,
  employeeIncludes,
  getEmployee,
  listEmployeeEvents,
  listEmployees,
} from '#contract/employees.ts'
import { addDays } from '#domain/calendar.ts'
import type { QueryOf } from '#contract/define.ts'
import { restrictedStatus } from '#domain/employee.ts'
import { type CursorBinding, openCursor, sealCursor } from '#server/paging/cursor.ts'
import { historyOf } from '#server/http/history.ts'
import { invalid, notFound } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import { change, on, route } from '#server/http/route.ts'
import { businessDate } from '#server/tables/business-date.ts'
import type { Tx } from '#server/tables/database.ts'
import { countOf, pageOfEmployees, refuseMasked } from '#server/tables/employee-list.ts'
import { maskEvent, eventsMatching } from '#server/tables/employee-events.ts'
import { type EmployeeRow, lockEmployee, oneEmployee, saveEmployee, toEmployee, whyNotResume } from '#server/tables/employees.ts'
import { type Position, startOf } from '#server/paging/keyset.ts'
import { hasPending } from '#server/tables/transactions.ts'
import { stopWithdrawals } from '#server/tables/work-periods.ts'

const open = async (tx: Tx, actor: Actor, id: number): Promise<EmployeeRow> => {
  const employee = await oneEmployee(tx, actor, id)
  if (!employee) throw notFound()
  return employee
}

const whole = (employee: EmployeeRow, actor: Actor) => toEmployee(employee, actor, employeeIncludes)

const target = (employee: EmployeeRow) => ({ entity: 'employee', id: String(employee.id), version: employee.version })

/** The snapshot of an employee for the history, without anything that is masked for some readers. */
const snapshot = ({ status, user_id, pause_reason, pause_details }: EmployeeRow) => ({
  status,
  user_id,
  pause_reason,
  pause_details,
})

function bindingOf(actor: Actor, query: QueryOf<typeof listEmployees>): CursorBinding {
  const { limit, lek, direction, 'from-id': row, include, sort, 'sort-order': order, ...filter } = query
  return { endpoint: 'GET /employees', filter, sort: `${sort} ${order}`, personId: actor.id }
}

/** ACTIVE requires a linked user; without one an employee can only enrol again. */
const statusFor = (status: string, linked: boolean) => (status === 'ACTIVE' && !linked ? 'ELIGIBLE' : status)

/** Maximum number of days to the next pay date, with any pay frequency. */
const maxPayDays = 62

/** Refuses a next pay date in the past, or too far in the future. */
async function refuseFarPayDay(tx: Tx, day: string): Promise<void> {
  const today = await businessDate(tx)
  const message =
    day < today
      ? 'The next pay date cannot be in the past.'
      : day > addDays(today, maxPayDays)
        ? `The next pay date is at most ${maxPayDays} days away.`
        : null
  if (message) throw invalid([{ path: 'next_pay_date', message }])
}

const notPaused = {
  status_before_pause: null,
  paused_at: null,
  paused_by: null,
  paused_by_name: null,
  pause_reason: null,
  pause_details: null,
}

export const routes = [
  route(listEmployees, async ({ tx, actor, query, services }) => {
    refuseMasked(actor, query, query.sort)
    const binding = bindingOf(actor, query)
    const from = query.lek === undefined ? null : openCursor(services.cursorSecret, binding, query.lek)
    const { rows, next } = await pageOfEmployees(tx, actor, query, startOf(from, query['from-id']))
    return {
      employees: rows.map((row) => toEmployee(row, actor, query.include ?? [])),
      lek: next && sealCursor(services.cursorSecret, binding, next as Position),
    }
  }),

  route(countEmployees, async ({ tx, actor, query }) => {
    refuseMasked(actor, query)
    return countOf(tx, actor, query)
  }),

  route(getEmployee, async ({ tx, actor, params }) => whole(await open(tx, actor, params.id), actor)),

  route(listEmployeeEvents, async (context) => {
    const { id, user_id } = await open(context.tx, context.actor, context.params.id)
    const user = user_id === null ? [] : [{ entity: 'user', id: String(user_id) }]
    const asking = { ...context, where: await eventsMatching(context, context.query) }
    const history = await historyOf(asking, 'GET /employees/{id}/events', { entity: 'employee', id: String(id) }, ...user)
    return { ...history, events: history.events.map((event) => maskEvent(event, context.actor)) }
  }),

  route(canUnpause, async ({ tx, actor, params }) => {
    const reasons = whyNotResume(await open(tx, actor, params.id))
    return { can_unpause: reasons.length === 0, reasons }
  }),

  change(updateEmployee, {
    subject: ({ tx, actor, params }) => lockEmployee(tx, actor, params.id),
    target,
    snapshot,
    intents: [
      on<typeof pause, EmployeeRow>(pause, async ({ tx, actor, subject, body, now }) => {
        const after = await saveEmployee(
          tx,
          actor,
          subject,
          {
            status: 'PAUSED',
            status_before_pause: subject.status,
            paused_at: now,
            paused_by: actor.id,
            paused_by_name: actor.name,
            pause_reason: body.reason,
            pause_details: body.details ?? null,
          },
          now,
        )
        return { after, answer: whole(after, actor) }
      }),
      on<typeof resume, EmployeeRow>(resume, async ({ tx, actor, subject, now }) => {
        const after = await saveEmployee(
          tx,
          actor,
          subject,
          { status: statusFor(subject.status_before_pause ?? 'ELIGIBLE', subject.user_id !== null), ...notPaused },
          now,
        )
        return { after, answer: whole(after, actor) }
      }),
      on<typeof changePay, EmployeeRow>(changePay, async ({ tx, actor, subject, body, now }) => {
        const { pay_frequency, next_pay_date } = body
        await refuseFarPayDay(tx, next_pay_date)
        const after = await saveEmployee(tx, actor, subject, { pay_frequency, next_pay_date }, now)
        return { after, answer: whole(after, actor) }
      }),
    ],
  }),

  change(setOffCyclePaid, {
    subject: ({ tx, actor, params }) => lockEmployee(tx, actor, params.id),
    target,
    snapshot,
    facts: async ({ actor, subject }) => whole(subject, actor),
    intents: [
      on<typeof terminateOffCycle, EmployeeRow>(terminateOffCycle, async ({ tx, actor, subject, now }) => {
        await stopWithdrawals(tx, subject.id)
        const after = await saveEmployee(tx, actor, subject, { status: restrictedStatus, ...notPaused }, now)
        // The audit stores the new status, which the person may not be allowed to see.
        return { after, answer: whole(await open(tx, actor, subject.id), actor) }
      }),
    ],
  }),

  change(unlinkEmployee, {
    subject: async ({ tx, actor, params }) => {
      const employee = await lockEmployee(tx, actor, params.id)
      return employee && { ...employee, pending: await hasPending(tx, params.id) }
    },
    target,
    snapshot,
    facts: async ({ tx, actor, subject }) => whole(await open(tx, actor, subject.id), actor),
    intents: [
      on<typeof unlink, EmployeeRow>(unlink, async ({ tx, actor, subject, now }) => {
        // A masked status does not allow unlinking, so the status is known here.
        const after = await saveEmployee(
          tx,
          actor,
          subject,
          { user_id: null, status: statusFor(subject.status as string, false) },
          now,
        )
        return { after, answer: whole(after, actor) }
      }),
    ],
  }),
]
