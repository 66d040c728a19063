import { z } from 'zod'
import { type EmployeeFacts, canCancelPasswordChange, canForcePasswordChange } from '#domain/employee.ts'
import { employeeEvents } from '#domain/employee-event.ts'
import { all, byTarget, byIntent } from '#domain/permissions.ts'
import { type Call, endpoint, intent, type Undoing } from '#contract/define.ts'
import { LinkedUser } from '#contract/employees.ts'
import { version } from '#contract/fields.ts'

/** Whose password it is, by the record of the employee or of the user. */
type About = EmployeeFacts & ({ flow: string } | { employee: { flow: string } | null })

const flowOf = (about: About): string | undefined => ('flow' in about ? about.flow : about.employee?.flow)

/** The permission depends on the flow of the employee who is linked to the user (PERM-027, PERM-028). */
const passwordNeed = byTarget(['write-password-change:payroll', 'write-password-change:consumer'], (about: About) =>
  all(flowOf(about) === 'CONSUMER' ? 'write-password-change:consumer' : 'write-password-change:payroll'),
)

export const setForcePasswordChange = endpoint({
  method: 'PUT',
  path: '/users/{id}/force-password-change',
  summary: 'Require a new password at the next sign-in, or cancel that',
  tag: 'Users',
  answer: LinkedUser,
  needs: byIntent,
})

export const forcePasswordChange = intent(setForcePasswordChange, {
  id: 'user.force-password-change',
  body: z.object({ force_password: z.literal(true), version: version() }),
  needs: passwordNeed,
  event: employeeEvents.passwordChangeForced,
  refuses: canForcePasswordChange,
  undo: ({ id, version }: Undoing): Call | null => cancelPasswordChange({ id }, { version }),
})

export const cancelPasswordChange = intent(setForcePasswordChange, {
  id: 'user.cancel-password-change',
  body: z.object({ force_password: z.literal(false), version: version() }),
  needs: passwordNeed,
  event: employeeEvents.passwordChangeCancelled,
  refuses: canCancelPasswordChange,
  undo: ({ id, version }: Undoing): Call | null => forcePasswordChange({ id }, { version }),
})
