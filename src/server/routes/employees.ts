import * as employeeChanges from '#contract/employee-changes.ts'
import { changePay, pause, resume, terminateOffCycle, unlink } from '#contract/employee-changes.ts'
import {
  canUnpause,
  countEmployees,
  employeeDetails,
  employeeIncludes,
  getEmployee,
  listEmployeeEvents,
  listEmployees,
} from '#contract/employees.ts'
import { addDays } from '#domain/calendar.ts'
import { collect } from '#contract/define.ts'
import { restrictedStatus } from '#domain/employee.ts'
import { historyOf } from '#server/http/history.ts'
import { invalid, orNotFound } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import { reads } from '#server/http/reads.ts'
import { byId, type ChangeOf, changing, route } from '#server/http/route.ts'
import { businessDate } from '#server/tables/business-date.ts'
import type { Tx } from '#server/tables/database.ts'
import { recordedDetails } from '#server/tables/details.ts'
import { employeeList } from '#server/tables/employee-list.ts'
import { maskEvent, eventsMatching } from '#server/tables/employee-events.ts'
import {
  type EmployeeChanges,
  type EmployeeRow,
  lockEmployee,
  oneEmployee,
  saveEmployee,
  toEmployee,
  whyNotResume,
} from '#server/tables/employees.ts'
import { hasPending } from '#server/tables/transactions.ts'
import { stopWithdrawals } from '#server/tables/work-periods.ts'

const open = orNotFound(oneEmployee)

const whole = (employee: EmployeeRow, actor: Actor) => toEmployee(employee, actor, employeeIncludes)

const recorded = recordedDetails(employeeDetails, collect([employeeChanges]).intents)

/** The snapshot of an employee for the history, without anything that is masked for some readers. */
const snapshot = (employee: EmployeeRow) => {
  const { status, user_id, pause_reason, pause_details } = employee
  return { status, user_id, pause_reason, pause_details, ...recorded(employee) }
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

/** Saves the fields of a body as they are: for intents that change details. */
const saveBody = async ({
  tx,
  actor,
  subject,
  body,
  now,
}: ChangeOf<EmployeeRow, EmployeeChanges & { version?: number | undefined }>) => {
  const { version: _, ...changes } = body
  const after = await saveEmployee(tx, actor, subject, changes, now)
  return { after }
}

const notPaused = {
  status_before_pause: null,
  paused_at: null,
  paused_by: null,
  paused_by_name: null,
  pause_reason: null,
  pause_details: null,
}

const employee = { entity: 'employee', locate: byId('employees'), snapshot, answer: whole }

const change = changing({
  ...employee,
  subject: ({ tx, actor, params, located }) => lockEmployee(tx, actor, located ?? params.id),
})

export const routes = [
  ...reads(
    { list: listEmployees, count: countEmployees, get: getEmployee },
    { list: employeeList, open, answer: (row, actor, include = employeeIncludes) => toEmployee(row, actor, include) },
  ),

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

  change(pause, async ({ tx, actor, subject, body, now }) => {
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
    return { after }
  }),

  change(resume, async ({ tx, actor, subject, now }) => {
    const after = await saveEmployee(
      tx,
      actor,
      subject,
      { status: statusFor(subject.status_before_pause ?? 'ELIGIBLE', subject.user_id !== null), ...notPaused },
      now,
    )
    return { after }
  }),

  change(changePay, async (context) => {
    await refuseFarPayDay(context.tx, context.body.next_pay_date)
    return saveBody(context)
  }),

  change(terminateOffCycle, async ({ tx, actor, subject, now }) => {
    await stopWithdrawals(tx, subject)
    const after = await saveEmployee(tx, actor, subject, { status: restrictedStatus, ...notPaused }, now)
    // The audit stores the new status, which the person may not be allowed to see.
    return { after, answer: whole(await open(tx, actor, subject.id), actor) }
  }),

  changing({
    ...employee,
    subject: async ({ tx, actor, params, located }) => {
      const found = await lockEmployee(tx, actor, located ?? params.id)
      return found && { ...found, pending: await hasPending(tx, found) }
    },
  })(unlink, async ({ tx, actor, subject, now }) => {
    // A masked status does not allow unlinking, so the status is known here.
    const after = await saveEmployee(
      tx,
      actor,
      subject,
      { user_id: null, status: statusFor(subject.status as string, false) },
      now,
    )
    return { after: { ...after, pending: subject.pending } }
  }),
]
