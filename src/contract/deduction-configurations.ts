import { z } from 'zod'
import {
  canCreateConfiguration,
  configurationLevels,
  employeeIdentifiers,
  identifierLabels,
  maxRollover,
  rolloverHint,
} from '#domain/configuration.ts'
import { all, any } from '#domain/permissions.ts'
import { action, endpoint } from '#contract/define.ts'
import { choice, idSchema, onOff, percentage, version } from '#contract/fields.ts'

/** How deductions of an employer are reported and taken, or what an organization passes on of that (ENT-065 to ENT-073). */
export const DeductionConfiguration = z.object({
  /** The configuration with these values; null if nobody has created one. */
  id: z.int().nullable(),
  level: z.enum(configurationLevels),
  organization_id: z.int(),
  organization_name: z.string(),
  /** The requested employer; null for an organization's own. */
  employer_id: z.int().nullable(),
  /** Basis points of an invoice; 0 if nothing may roll over. */
  allowed_rollover_percentage: z.int(),
  should_send_ewa_file: z.boolean(),
  should_send_empty_ewa_file: z.boolean(),
  auto_approve_ewa_file: z.boolean(),
  employee_identifier_type: z.enum(employeeIdentifiers),
  split_confirmation_file: z.boolean(),
  receives_confirmations: z.boolean(),
  receive_multiple_confirmations: z.boolean(),
  send_ewa_email: z.boolean(),
  real_time_deductions: z.boolean(),
  version: z.int(),
})
export type DeductionConfiguration = z.infer<typeof DeductionConfiguration>

const files = { section: 'EWA files' }
const confirmations = { section: 'Confirmations' }

/** The values, each with its rule (CFG-014); no rollover is 0. */
export const deductionFields = {
  allowed_rollover_percentage: percentage('Allowed rollover', {
    min: 0,
    max: maxRollover,
    below: 'Must not be less than 0',
    above: rolloverHint,
    section: 'Rollover',
    help: `Of an invoice; ${rolloverHint.toLowerCase()}`,
  }),
  employee_identifier_type: choice('Employee identifier', employeeIdentifiers, identifierLabels, {
    ...files,
    help: 'By what files name employees',
  }),
  auto_approve_ewa_file: onOff('Approve by itself', { ...files, help: 'No person approves its deductions' }),
  should_send_ewa_file: onOff('Send EWA files', {
    ...files,
    help: 'Off: they are delivered here alone, and the employer is given none',
  }),
  should_send_empty_ewa_file: onOff('Send empty EWA files', { ...files, help: 'Also for a period without a deduction' }),
  send_ewa_email: onOff('Send EWA e-mail', { ...files, help: 'To the addresses that the data of eligible employees comes from' }),
  real_time_deductions: onOff('Real-time deductions', { ...files, help: 'Files are delivered as soon as they are approved' }),
  receives_confirmations: onOff('Confirms deductions', { ...confirmations, help: 'The employer reports what it withheld' }),
  receive_multiple_confirmations: onOff('Several confirmations', {
    ...confirmations,
    help: 'For one period',
    when: { field: 'receives_confirmations', is: true, otherwise: false },
  }),
  split_confirmation_file: onOff('Split confirmation file', {
    ...confirmations,
    help: 'For the people who record them; it has no effect',
    when: { field: 'receives_confirmations', is: true, otherwise: false },
  }),
}

/** Values to save: an omitted one is unchanged, or the organization's at the switch of level. */
const values = z.object(deductionFields).partial().shape
export type DeductionValues = { [Name in keyof typeof deductionFields]?: z.output<(typeof deductionFields)[Name]> | undefined }

const tag = 'Configurations'
const owned = { tag, answer: DeductionConfiguration } as const
const needs = all('write:billing')

export const listDeductionConfigurations = endpoint({
  method: 'GET',
  path: '/deductions/configurations',
  summary: 'How the deductions of an employer are reported and taken, and what an organization passes on',
  tag,
  query: z.object({ 'employer-id': idSchema.optional(), 'organization-id': idSchema.optional() }),
  picks: {
    'employer-id': (one: DeductionConfiguration, id) => String(one.employer_id) === id,
    'organization-id': (one: DeductionConfiguration, id) => one.employer_id === null && String(one.organization_id) === id,
  },
  answer: z.object({ configurations: z.array(DeductionConfiguration) }),
  needs: any('read:employers', 'read:organizations'),
})

export const createDeductionConfiguration = action({
  ...owned,
  method: 'POST',
  path: '/deductions/configurations',
  summary:
    "Give an organization a deduction configuration, or an employer its own: it no longer has its organization's, for good",
  status: 201,
  id: 'deduction-configuration.create',
  body: z.object({ employer_id: idSchema.optional(), organization_id: idSchema.optional(), ...values, version: version() }),
  needs,
  event: 'Deduction configuration created',
  refuses: canCreateConfiguration,
})

export const changeDeductionConfiguration = action({
  ...owned,
  method: 'PUT',
  path: '/deductions/configurations/{id}',
  summary: 'Change a deduction configuration',
  id: 'deduction-configuration.change',
  body: z.object({ ...values, version: version() }),
  needs,
  event: 'Deduction configuration changed',
})
