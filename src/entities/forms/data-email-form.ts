import type { z } from 'zod'
import { createDataEmail, dataEmailAddress } from '#contract/data-emails.ts'
import type { Call } from '#contract/define.ts'
import { choices, fieldMeta, required } from '#contract/fields.ts'
import { type DataEmailType, dataEmailLabels, dataEmailTypes, sameAsOther } from '#domain/data-email.ts'

const address = (title: string, type: DataEmailType) => {
  const schema = dataEmailAddress(title)
  fieldMeta.add(schema, { kind: 'e-mail', title, needed: true, when: { field: 'types', has: type } })
  return schema.optional()
}

/** The fields of the form that adds data e-mails: the types, and an address per type. */
export const dataEmailFields = {
  types: choices('Types', dataEmailTypes, dataEmailLabels),
  eligible_employee_email: address('Eligible employee e-mail', 'ELIGIBLE_EMPLOYEE'),
  timekeeping_email: address('Timekeeping e-mail', 'TIMEKEEPING'),
}

const fieldOfType = {
  ELIGIBLE_EMPLOYEE: 'eligible_employee_email',
  TIMEKEEPING: 'timekeeping_email',
} as const satisfies Record<DataEmailType, keyof typeof dataEmailFields>

interface Addresses {
  types: readonly DataEmailType[]
  eligible_employee_email?: string | undefined
  timekeeping_email?: string | undefined
}

/** Refuses a selected type without an address (DEM-005, DEM-006), and the same address for both types (DEM-002). */
export function checkAddresses(typed: Addresses, { addIssue }: Pick<z.RefinementCtx, 'addIssue'>): void {
  const addressOf = (type: DataEmailType) => (typed.types.includes(type) ? typed[fieldOfType[type]]?.toLowerCase() : undefined)
  const refuse = (type: DataEmailType, message: string) => addIssue({ code: 'custom', path: [fieldOfType[type]], message })
  for (const type of typed.types) if (!addressOf(type)) refuse(type, required)
  const [employees, times] = dataEmailTypes.map(addressOf)
  if (employees && employees === times) refuse('TIMEKEEPING', sameAsOther('TIMEKEEPING'))
}

/** One call per selected type, for an organization or an employer. */
export const dataEmailCalls = (
  owner: Pick<z.input<typeof createDataEmail.body>, 'organization_id' | 'employer_id'>,
  typed: Addresses,
): Call[] => typed.types.map((type) => createDataEmail({}, { ...owner, type, email: typed[fieldOfType[type]] ?? '' }))

/** Maps a message about the address of a call to the form's field. */
export const dataEmailField = (path: string, body: Readonly<Record<string, unknown>>): string =>
  path === 'email' ? fieldOfType[body['type'] as DataEmailType] : path
