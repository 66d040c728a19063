import { type Refusal, refuse } from '#domain/refusal.ts'
import { states } from '#domain/status.ts'

/** Statuses of organizations and employers (ENT-033, ENT-041). */
export const companyStatuses = states({
  ACTIVE: ['Active', 'good'],
  INACTIVE: ['Inactive', 'idle'],
})

/** EMR-003. */
export const missingLms = 'Unable to activate employer, missing LMS configurations.'

/** What decides whether an employer can be activated. */
export interface EmployerFacts {
  status: string
  organization_status: string
  /** Whether an LMS configuration applies to it, its own or its organization's. */
  lms_configured: boolean
}

/** Why an employer cannot be activated (EMR-001, EMR-003). */
export function canActivate({ status, organization_status, lms_configured }: EmployerFacts): Refusal | null {
  if (status === 'ACTIVE') return refuse('already-active', 'This employer is active already.')
  if (organization_status !== 'ACTIVE')
    return refuse('organization-inactive', 'The organization is inactive. Make it active first.')
  return lms_configured ? null : refuse('lms-missing', missingLms)
}

/** Why an employer cannot be de-activated (EMR-002). */
export const canDeactivate = ({ status }: { status: string }): Refusal | null =>
  status === 'ACTIVE' ? null : refuse('already-inactive', 'This employer is inactive already.')

/** Why `onboarded` cannot be set to this value (EMR-005). */
export const canSetOnboarded =
  (to: boolean) =>
  ({ onboarded }: { onboarded: boolean }): Refusal | null =>
    onboarded === to ? refuse('already-so', `This employer is ${to ? 'onboarded already' : 'not onboarded'}.`) : null

/** A validation error of a form field, in words for people. */
interface Fault {
  path: string
  message: string
}

/** Errors in the dates of an employer; `yyyy-MM-dd`, null for none. */
export function validateEmployerDates(dates: {
  go_live_date?: string | null | undefined
  cancellation_date?: string | null | undefined
}): Fault[] {
  const { go_live_date: live, cancellation_date: ended } = dates
  return live && ended && ended < live ? [{ path: 'cancellation_date', message: 'Not before the go-live date' }] : []
}

/** A name as used in addresses and files of other systems: `ridge-falls-foods` for `Ridge Falls Foods`. */
export const lookupNameOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
