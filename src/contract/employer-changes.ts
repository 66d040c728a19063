import { z } from 'zod'
import { canActivate, canDeactivate, canSetOnboarded } from '#domain/company.ts'
import { all, byIntent } from '#domain/permissions.ts'
import { action, type Call, endpoint, intent, type Undoing } from '#contract/define.ts'
import { date, idSchema, integer, onOff, text, version } from '#contract/fields.ts'
import { Employer } from '#contract/employers.ts'
import { brandField } from '#contract/organization-changes.ts'

const needs = all('write:employers')

/** Editable fields of an employer. */
const fields = {
  internal_name: text('Internal name', 200, { help: 'As staff call it' }),
  external_name: text('External name', 200, { help: 'As its employees read it' }),
  external_code: text('External code', 60, { help: 'As files name it; once in an organization' }),
  brand: brandField(),
  direct_customer: onOff('Direct customer').default(false),
  go_live_date: date('Go-live date').nullable().optional(),
  cancellation_date: date('Cancellation date').nullable().optional(),
  pilot_ee_count: integer('Pilot EE count', { min: 0, max: 1_000_000, above: 'At most 1,000,000' }).nullable().optional(),
  pilot_launch_date: date('Pilot launch date').nullable().optional(),
}

export const createEmployer = action({
  method: 'POST',
  path: '/employers',
  summary: 'Create an employer of an organization; it begins inactive',
  tag: 'Employers',
  answer: Employer,
  status: 201,
  id: 'employer.create',
  body: z.object({ organization_id: idSchema, ...fields }),
  needs,
  event: 'Created',
})

export const editEmployer = action({
  method: 'PUT',
  path: '/employers/{id}',
  summary: 'Change an employer: what is left out is cleared where it may be',
  tag: 'Employers',
  answer: Employer,
  id: 'employer.edit',
  body: z.object({ ...fields, version: version() }),
  needs,
  event: 'Changed',
})

export const putEmployerStatus = endpoint({
  method: 'PUT',
  path: '/employers/{id}/status',
  summary: 'Activate or de-activate an employer',
  tag: 'Employers',
  answer: Employer,
  needs: byIntent,
  extension: true,
})

/** EMR-001, EMR-003. Clears the cancellation date. */
export const activate = intent(putEmployerStatus, {
  id: 'employer.activate',
  body: z.object({ status: z.literal('ACTIVE'), version: version() }),
  needs,
  event: 'Activated',
  refuses: canActivate,
  undo: ({ id, version }: Undoing, before: { cancellation_date: string | null }): Call =>
    deactivate({ id }, { cancellation_date: before.cancellation_date ?? undefined, version }),
})

/** EMR-002, EMR-004. Without a date it is cancelled as of the business date. */
export const deactivate = intent(putEmployerStatus, {
  id: 'employer.deactivate',
  body: z.object({ status: z.literal('INACTIVE'), cancellation_date: date('Cancellation date').optional(), version: version() }),
  needs,
  event: 'De-activated',
  refuses: canDeactivate,
  undo: ({ id, version }: Undoing): Call => activate({ id }, { version }),
})

export const patchOnboarded = endpoint({
  method: 'PATCH',
  path: '/employers/{id}/onboarded',
  summary: 'Say whether an employer is onboarded',
  tag: 'Employers',
  answer: Employer,
  needs: byIntent,
})

/** EMR-005. */
export const setOnboarded = intent(patchOnboarded, {
  id: 'employer.set-onboarded',
  body: z.object({ onboarded: z.literal(true), version: version() }),
  needs,
  event: 'Onboarded',
  refuses: canSetOnboarded(true),
  undo: ({ id, version }: Undoing): Call => unsetOnboarded({ id }, { version }),
})

export const unsetOnboarded = intent(patchOnboarded, {
  id: 'employer.unset-onboarded',
  body: z.object({ onboarded: z.literal(false), version: version() }),
  needs,
  event: 'No longer onboarded',
  refuses: canSetOnboarded(false),
  undo: ({ id, version }: Undoing): Call => setOnboarded({ id }, { version }),
})
