import { z } from 'zod'
import { type EmployeeFacts, canChangePay, canPause, canResume, canTerminateOffCycle, canUnlink } from '#domain/employee.ts'
import { employeeEvents } from '#domain/employee-event.ts'
import { all, byTarget, byIntent } from '#domain/permissions.ts'
import { payFrequencies } from '#domain/pay-frequency.ts'
import { refuse } from '#domain/refusal.ts'
import { action, type Call, endpoint, intent, type Undoing } from '#contract/define.ts'
import { choice, date, longText, text, version } from '#contract/fields.ts'
import { canUnpause, Employee, frequencyLabels } from '#contract/employees.ts'

export const updateEmployee = endpoint({
  method: 'PATCH',
  path: '/employees/{id}',
  summary: 'Pause or resume an employee, or change how often and when next the employee is paid',
  tag: 'Employees',
  answer: Employee,
  needs: byIntent,
})

/** The history shows the event without figures: pay details are masked (docs/rules/access.md). */
export const changePay = intent(updateEmployee, {
  id: 'employee.change-pay',
  body: z.object({
    pay_frequency: choice('Payroll frequency', payFrequencies, frequencyLabels),
    next_pay_date: date('Next pay date'),
    version: version(),
  }),
  needs: all('read:compensations', 'write:compensations'),
  event: employeeEvents.payChanged,
  refuses: canChangePay,
  undo: (
    { id, version }: Undoing,
    { pay_frequency, next_pay_date }: { pay_frequency: string | null; next_pay_date: string | null },
  ): Call | null => {
    const frequency = payFrequencies.find((each) => each === pay_frequency)
    return frequency && next_pay_date !== null ? changePay({ id }, { pay_frequency: frequency, next_pay_date, version }) : null
  },
})

const resuming = all('write:employees', 'write:unpause')

export const pause = intent(updateEmployee, {
  id: 'employee.pause',
  body: z.object({
    status: z.literal('PAUSED'),
    reason: text('Reason', 200),
    details: longText('Details').optional(),
    version: version(),
  }),
  needs: all('write:employees'),
  event: employeeEvents.paused,
  refuses: canPause,
  undo: ({ id, version }: Undoing, before: { status: string }): Call | null =>
    before.status === 'PAUSED' ? null : resume({ id }, { notes: 'Undone', version }),
  undoNeeds: resuming,
})

export const resume = intent(updateEmployee, {
  id: 'employee.resume',
  body: z.object({ status: z.literal('ACTIVE'), notes: longText('Notes').optional(), version: version() }),
  needs: resuming,
  event: employeeEvents.resumed,
  refuses: canResume,
  undo: ({ id, version }: Undoing, before: { pause_reason: string | null; pause_details: string | null }): Call | null =>
    pause({ id }, { reason: before.pause_reason ?? 'Undone', details: before.pause_details ?? undefined, version }),
  checkedBy: {
    endpoint: canUnpause,
    refuses: (answer: { can_unpause: boolean; reasons: string[] }) =>
      answer.can_unpause ? null : refuse('cannot-unpause', answer.reasons.join(' ')),
    // The status of an employee who is not paused yet is not a reason: pausing changes it.
    afterwards: (answer: { reasons: string[] }, before: { status: string | null }) => {
      const reasons = answer.reasons.filter((reason) => reason !== canResume(before as never)?.sentence)
      return reasons.length ? refuse('cannot-unpause', reasons.join(' ')) : null
    },
  },
})

export const unlink = action({
  method: 'POST',
  path: '/employees/{id}/unlink',
  summary: 'Unlink an employee from the user',
  tag: 'Employees',
  answer: Employee,
  id: 'employee.unlink',
  // The specification has no body. With a version, only the user that the caller saw is unlinked, not a later one.
  body: z.object({ version: version().optional() }),
  needs: byTarget(['write-unlink:payroll', 'write-unlink:consumer'], (employee: EmployeeFacts & { flow: string }) =>
    all(employee.flow === 'CONSUMER' ? 'write-unlink:consumer' : 'write-unlink:payroll'),
  ),
  event: employeeEvents.unlinked,
  refuses: canUnlink,
})

/** EMP-011. Only sets it to true: it cannot be undone. */
export const terminateOffCycle = action({
  method: 'PATCH',
  path: '/employees/{id}/off-cycle-paid',
  summary: 'Terminate an employee off-cycle, for good',
  tag: 'Employees',
  answer: Employee,
  id: 'employee.terminate-off-cycle',
  body: z.object({ off_cycle_paid: z.literal(true), version: version() }),
  needs: all('write:off-cycle-payments'),
  event: employeeEvents.offCyclePaid,
  refuses: canTerminateOffCycle,
})
