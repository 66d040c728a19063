import { z } from 'zod'
import {
  aboveZero,
  canCreateConfiguration,
  configurationLevels,
  employeeIdentifiers,
  maxDailyHours,
  maxPercentage,
  maxTransactionFee,
  folderNameRule,
  isFolderName,
  maxFolderName,
  partnerLabels,
  partnerTypes,
  unlimitedMaximum,
  withdrawLimitLabels,
  withdrawLimitTypes,
} from '#domain/configuration.ts'

import { formatCents } from '#domain/money.ts'
import { all, any, byTarget } from '#domain/permissions.ts'
import { configurationCalls } from '#contract/configuration-calls.ts'
import { action, endpoint } from '#contract/define.ts'
import { paymentMethodLabels, paymentMethods } from '#contract/invoices.ts'
import {
  byId,
  chips,
  choice,
  idSchema,
  integer,
  money,
  nothing,
  onOff,
  percentage,
  required,
  textOf,
  version,
} from '#contract/fields.ts'

/** A debited account: at most the last four digits of its number. */
const Account = z.object({
  id: z.int(),
  name: z.string(),
  nickname: z.string(),
  bank_name: z.string().nullable(),
  account_number_last_four: z.string(),
  scope: z.enum(['ORGANIZATION', 'EMPLOYERS']),
})

/**
 * The configuration that applies to an employer, or that an organization passes on to its employers. Amounts in cents,
 * percentages in basis points.
 */
export const Configuration = z.object({
  /** The configuration with these values; null if nobody has created one. */
  id: z.int().nullable(),
  /** Level of these values: ORGANIZATION means that an employer inherits them. */
  level: z.enum(configurationLevels),
  /** The same for the payment terms, which belong to the LMS configuration. */
  terms_level: z.enum(configurationLevels),
  /** Whether an LMS configuration exists; without one these terms are the defaults. */
  lms_configured: z.boolean(),
  organization_id: z.int(),
  organization_name: z.string(),
  /** The requested employer; null for an organization's own. */
  employer_id: z.int().nullable(),
  withdraw_limit_type: z.enum(withdrawLimitTypes),
  withdraw_limit_amount: z.int(),
  single_withdraw_amount_max: z.int(),
  withdraw_amount_max: z.int(),
  transaction_fee: z.int(),
  requests_per_cycle: z.int(),
  daily_hours_limit: z.int(),
  timekeeping_approval_threshold: z.int(),
  ach_processing_days: z.int(),
  invoice_deadline: z.int(),
  invoice_net_days: z.int(),
  auto_ach: z.boolean(),
  split_invoices: z.boolean(),
  show_amount_per_department_code: z.boolean(),
  allowed_rollover_percentage: z.int(),
  employee_identifier_type: z.enum(employeeIdentifiers),
  partner_type: z.enum(partnerTypes),
  /** Pay codes whose time counts as worked; null if all do. */
  pay_codes: z.array(z.string()).nullable(),
  /** Folder of the organization's files; null if none is set. */
  integrations_folder: z.string().nullable(),
  version: z.int(),
  /** With `include=bank`: the active debited accounts. */
  accounts: z.array(Account).optional(),
})
export type Configuration = z.infer<typeof Configuration>

const bounds = { min: 1, below: aboveZero }
const cents = (title: string, max: number, extra: object) =>
  money(title, { ...bounds, max, above: `At most ${formatCents(max)}`, ...extra })
const days = (title: string, help: string) =>
  integer(title, { ...bounds, max: 365, above: 'At most 365', help, section: 'Invoicing' })
/** While the unlimited transfer option is on, both maximum amounts are set by it (CFG-017). */
const limited = { section: 'Withdrawals', when: { field: 'unlimited_transfer', is: false, otherwise: unlimitedMaximum } }

/**
 * Values whose input equals the stored form, each with its rule (CFG-003, CFG-005 to CFG-007, CFG-010 to CFG-013,
 * docs/rules/companies.md).
 */
export const configurationFields = {
  single_withdraw_amount_max: cents('Maximum per transaction', unlimitedMaximum, limited),
  withdraw_amount_max: cents('Maximum per pay period', unlimitedMaximum, limited),
  requests_per_cycle: integer('Requests per cycle', {
    ...bounds,
    max: 1_000,
    above: 'At most 1,000',
    section: 'Withdrawals',
  }),
  transaction_fee: cents('Transaction fee', maxTransactionFee, {
    section: 'Fees',
    help: `At most ${formatCents(maxTransactionFee)}`,
  }),
  daily_hours_limit: integer('Daily hours limit', {
    ...bounds,
    max: maxDailyHours,
    above: `At most ${maxDailyHours}`,
    section: 'Timekeeping',
    help: `At most ${maxDailyHours}`,
  }),
  timekeeping_approval_threshold: percentage('Approval threshold', {
    ...bounds,
    max: maxPercentage,
    above: `At most ${maxPercentage / 100}%`,
    section: 'Timekeeping',
  }),
  ach_processing_days: days('ACH processing days', 'Business days from debit to due date'),
  invoice_deadline: days('Invoice deadline', 'Business days after the report date until it is sent'),
  invoice_net_days: days('Invoice net days', 'Days from report date to due date'),
  payment_method: choice('Payment method', paymentMethods, paymentMethodLabels, { section: 'Invoicing' }),
  split_invoices: onOff('Split invoices', { section: 'Invoicing', help: 'One invoice for each department' }),
  show_amount_per_department_code: onOff('Amounts by department code', { section: 'Invoicing' }),
  partner_type: choice('Partner type', partnerTypes, partnerLabels, {
    section: 'Partner',
    help: 'For information only; it has no effect',
  }),
  pay_codes: chips('Pay codes', {
    section: 'Timekeeping',
    help: 'Time with another pay code does not count as worked',
    when: { field: 'all_pay_codes', is: false },
  }),
  integrations_folder: textOf(
    'Integrations folder',
    maxFolderName,
    { is: isFolderName, sentence: folderNameRule },
    { section: 'Partner', help: 'The folder with the files of all its employers' },
  ),
}

/** Values that can be cleared, which is stored as 0 (docs/rules/companies.md). The other numbers always have a value. */
const clearable = <S extends z.ZodType>(field: S) => field.nullable().optional()

/** Values to save: an omitted one is unchanged, or the organization's at the switch of level; null clears it. */
const values = {
  withdraw_limit_type: choice('Limit type', withdrawLimitTypes, withdrawLimitLabels).optional(),
  // Basis points or cents: its rule depends on the type, which may be the current one.
  withdraw_limit_amount: clearable(z.int({ error: required })),
  single_withdraw_amount_max: clearable(configurationFields.single_withdraw_amount_max),
  withdraw_amount_max: clearable(configurationFields.withdraw_amount_max),
  requests_per_cycle: clearable(configurationFields.requests_per_cycle),
  transaction_fee: clearable(configurationFields.transaction_fee),
  daily_hours_limit: configurationFields.daily_hours_limit.optional(),
  timekeeping_approval_threshold: clearable(configurationFields.timekeeping_approval_threshold),
  ach_processing_days: configurationFields.ach_processing_days.optional(),
  invoice_deadline: configurationFields.invoice_deadline.optional(),
  invoice_net_days: configurationFields.invoice_net_days.optional(),
  payment_method: configurationFields.payment_method.optional(),
  split_invoices: configurationFields.split_invoices.optional(),
  show_amount_per_department_code: configurationFields.show_amount_per_department_code.optional(),
  partner_type: configurationFields.partner_type.optional(),
  pay_codes: clearable(configurationFields.pay_codes),
  integrations_folder: clearable(configurationFields.integrations_folder),
}
/** The names of the values of a configuration. */
export const configurationNames = Object.keys(values) as (keyof typeof values)[]
export type ConfigurationValues = { [Name in keyof typeof values]?: z.output<(typeof values)[Name]> }

/** An employer's and an organization's need different rights; an employer itself is its own owner. */
const byLevel = byTarget(['write:employers', 'write:organizations'], (owner: { employer_id?: number | null }) =>
  all(owner.employer_id === null ? 'write:organizations' : 'write:employers'),
)

const include = z.enum(['bank']).optional()

export const listConfigurations = endpoint({
  ...configurationCalls.read,
  summary: 'What holds for an employer, and what an organization hands down',
  tag: 'Configurations',
  params: nothing,
  specified: ['employer-id', 'organization-id', 'include'],
  query: z.object({ 'employer-id': idSchema.optional(), 'organization-id': idSchema.optional(), include }),
  answer: z.object({ configurations: z.array(Configuration) }),
})

/** An employee to whom a configuration applies, with the open work period; amounts in cents. */
export const ConfigurationExample = z.object({
  employee_id: z.int(),
  name: z.string(),
  earned_amount: z.int(),
  taken_amount: z.int(),
  pending_amount: z.int(),
})
export type ConfigurationExample = z.infer<typeof ConfigurationExample>

export const getConfigurationExample = endpoint({
  method: 'GET',
  path: '/configurations/example',
  summary: 'Somebody whom the configuration of an employer or organization holds for, to show what a change means',
  tag: 'Configurations',
  query: z.object({ 'employer-id': idSchema.optional(), 'organization-id': idSchema.optional() }),
  answer: z.object({ example: ConfigurationExample.nullable() }),
  needs: all('read:employees', 'read:work-period-balances'),
  extension: true,
})

export const getEmployerConfiguration = endpoint({
  method: 'GET',
  path: '/employers/{employerId}/configurations',
  summary: 'What holds for an employer (legacy)',
  tag: 'Configurations',
  params: z.object({ employerId: idSchema }),
  answer: Configuration,
  needs: any('read:employers', 'read:organizations'),
})

/** For an employer, the switch of level (CFG-001); `version` is that of the inherited values. */
export const createConfiguration = action({
  ...configurationCalls.create,
  summary: "Give an organization a configuration, or an employer its own: it no longer has its organization's, for good",
  tag: 'Configurations',
  params: nothing,
  answer: Configuration,
  status: 201,
  id: 'configuration.create',
  body: z.object({
    employer_id: idSchema.optional(),
    organization_id: idSchema.optional(),
    ...values,
    version: version(),
  }),
  needs: byLevel,
  event: 'Configuration created',
  refuses: canCreateConfiguration,
})

export const changeConfiguration = action({
  ...configurationCalls.change,
  summary: 'Change a configuration',
  tag: 'Configurations',
  params: byId,
  answer: Configuration,
  id: 'configuration.change',
  body: z.object({ ...values, version: version() }),
  needs: byLevel,
  event: 'Configuration changed',
})

/** How an employer is billed, or what an organization passes on of that. The other terms are saved with the configuration. */
export const LmsConfiguration = z.object({
  /** The LMS configuration with these values; null if nobody has created one. */
  id: z.int().nullable(),
  level: z.enum(configurationLevels),
  organization_id: z.int(),
  /** The requested employer; null for an organization's own. */
  employer_id: z.int().nullable(),
  payment_method: z.enum(paymentMethods),
  split_invoices: z.boolean(),
  show_amount_per_department_code: z.boolean(),
  ach_processing_days: z.int(),
  invoice_deadline: z.int(),
  invoice_net_days: z.int(),
  version: z.int(),
})
export type LmsConfiguration = z.infer<typeof LmsConfiguration>

export const getLmsConfiguration = endpoint({
  method: 'GET',
  path: '/configurations/lms/{id}',
  summary: 'How the employer of this id is billed',
  tag: 'Configurations',
  answer: LmsConfiguration,
  needs: configurationCalls.read.needs,
})

export const changeLmsConfiguration = action({
  method: 'PUT',
  path: '/configurations/lms/{id}',
  summary: 'Change the LMS configuration of this id',
  tag: 'Configurations',
  answer: LmsConfiguration,
  id: 'configuration.change-lms',
  body: z.object({
    payment_method: z.enum(paymentMethods).optional(),
    split_invoices: z.boolean().optional(),
    show_amount_per_department_code: z.boolean().optional(),
    version: version(),
  }),
  needs: byLevel,
  event: 'LMS configuration changed',
})
