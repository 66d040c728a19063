import { z } from 'zod'
import {
  type Configuration,
  type ConfigurationExample,
  configurationFields,
  getConfigurationExample,
  getLmsConfiguration,
  type LmsConfiguration,
  listConfigurations,
} from '#contract/configurations.ts'
import { choice, money, noItem, onOff, percentage } from '#contract/fields.ts'
import {
  aboveZero,
  invoiceTerms,
  isUnlimited,
  maxWithdrawLimit,
  unlimitedMaximum,
  withdrawLimitBelow,
  withdrawLimitBounds,
  withdrawLimitHint,
  withdrawLimitLabels,
  withdrawLimitTypes,
} from '#domain/configuration.ts'
import { formatCents } from '#domain/money.ts'
import { isolated } from '#domain/text.ts'
import { limitOf } from '#domain/work-period.ts'
import type { Read } from '#kernel/command.ts'
import { changesIn, type PagePreview } from '#kernel/page-form.ts'

const section = 'Withdrawals'
const ofType = (is: (typeof withdrawLimitTypes)[number]) => ({ section, when: { field: 'withdraw_limit_type', is } })
const own = configurationFields

const form = z.object({
  withdraw_limit_type: choice('Limit type', withdrawLimitTypes, withdrawLimitLabels, { section }),
  withdraw_limit_percentage: percentage('Withdraw limit', {
    min: 1,
    max: withdrawLimitBelow - 1,
    below: withdrawLimitBounds,
    above: withdrawLimitBounds,
    help: `Above 0%, below ${withdrawLimitBelow / 100}%`,
    ...ofType('PERCENTAGE'),
  }).optional(),
  withdraw_limit_dollars: money('Withdraw limit', {
    min: 1,
    max: maxWithdrawLimit,
    below: aboveZero,
    above: withdrawLimitHint,
    help: withdrawLimitHint,
    ...ofType('AMOUNT'),
  }).optional(),
  unlimited_transfer: onOff('Unlimited transfer', { section, help: `Sets both maximums to ${formatCents(unlimitedMaximum)}` }),
  single_withdraw_amount_max: own.single_withdraw_amount_max.optional(),
  withdraw_amount_max: own.withdraw_amount_max.optional(),
  requests_per_cycle: own.requests_per_cycle.optional(),
  transaction_fee: own.transaction_fee.optional(),
  timekeeping_approval_threshold: own.timekeeping_approval_threshold.optional(),
  daily_hours_limit: own.daily_hours_limit,
  all_pay_codes: onOff('Every pay code', { section: 'Timekeeping', help: 'Time with any pay code counts as worked' }),
  pay_codes: own.pay_codes.optional(),
  payment_method: own.payment_method,
  split_invoices: own.split_invoices,
  show_amount_per_department_code: own.show_amount_per_department_code,
  ach_processing_days: own.ach_processing_days,
  invoice_deadline: own.invoice_deadline,
  invoice_net_days: own.invoice_net_days,
  partner_type: own.partner_type,
})

/** Requires at least one pay code unless all count (VAL-015). */
const validated = <S extends typeof form>(schema: S): S =>
  schema.superRefine(({ all_pay_codes, pay_codes }, context) => {
    if (!all_pay_codes && !pay_codes?.length) context.addIssue({ code: 'custom', path: ['pay_codes'], message: noItem })
  }) as S

/** The form of an employer's configuration. */
export const employerConfigurationForm = validated(form)
/** The form of an organization's, which also has the folder of its files. */
export const organizationConfigurationForm = validated(form.extend({ integrations_folder: own.integrations_folder.optional() }))
export type ConfigurationParams = z.infer<typeof organizationConfigurationForm>

/** The saved values of the fields: a stored 0 is an empty field. */
export function savedConfiguration(one: Configuration): Partial<ConfigurationParams> {
  const limit = one.withdraw_limit_amount || undefined
  const byShare = one.withdraw_limit_type === 'PERCENTAGE'
  return {
    withdraw_limit_type: one.withdraw_limit_type,
    withdraw_limit_percentage: byShare ? limit : undefined,
    withdraw_limit_dollars: byShare ? undefined : limit,
    unlimited_transfer: isUnlimited(one),
    single_withdraw_amount_max: one.single_withdraw_amount_max || undefined,
    withdraw_amount_max: one.withdraw_amount_max || undefined,
    requests_per_cycle: one.requests_per_cycle || undefined,
    transaction_fee: one.transaction_fee || undefined,
    timekeeping_approval_threshold: one.timekeeping_approval_threshold || undefined,
    daily_hours_limit: one.daily_hours_limit,
    ach_processing_days: one.ach_processing_days,
    invoice_deadline: one.invoice_deadline,
    invoice_net_days: one.invoice_net_days,
    all_pay_codes: one.pay_codes === null,
    pay_codes: one.pay_codes ?? undefined,
    payment_method: one.auto_ach ? 'AUTO_ACH' : 'SELF_PAY',
    split_invoices: one.split_invoices,
    show_amount_per_department_code: one.show_amount_per_department_code,
    partner_type: one.partner_type,
    ...(one.employer_id === null ? { integrations_folder: one.integrations_folder ?? undefined } : {}),
  }
}

/** The values of the fields; null clears one. */
function valuesFrom(params: Partial<ConfigurationParams>) {
  const { withdraw_limit_percentage, withdraw_limit_dollars, unlimited_transfer, all_pay_codes, pay_codes, ...rest } = params
  const maximum = (value: number | undefined) => (unlimited_transfer ? unlimitedMaximum : (value ?? null))
  const limit = params.withdraw_limit_type === 'PERCENTAGE' ? withdraw_limit_percentage : withdraw_limit_dollars
  return {
    ...rest,
    withdraw_limit_amount: limit ?? null,
    single_withdraw_amount_max: maximum(params.single_withdraw_amount_max),
    withdraw_amount_max: maximum(params.withdraw_amount_max),
    requests_per_cycle: params.requests_per_cycle ?? null,
    transaction_fee: params.transaction_fee ?? null,
    timekeeping_approval_threshold: params.timekeeping_approval_threshold ?? null,
    pay_codes: all_pay_codes ? null : (pay_codes ?? null),
    ...('integrations_folder' in params ? { integrations_folder: params.integrations_folder ?? null } : {}),
  }
}

/** The changed fields, as the API takes them. */
export function changedConfiguration(params: ConfigurationParams, now: Configuration) {
  const values = valuesFrom(params)
  const before = valuesFrom(savedConfiguration(now))
  // The unit of the limit depends on its type.
  const limit =
    values.withdraw_limit_type === before.withdraw_limit_type ? {} : { withdraw_limit_amount: values.withdraw_limit_amount }
  return { ...changesIn(values, before), ...limit, version: now.version }
}

const terms: readonly string[] = invoiceTerms

/** The owner of inherited values, by field. */
export const inheritedConfiguration = ({
  id,
  level,
  terms_level,
  lms_configured,
  organization_name,
}: Configuration): Record<string, string | null> =>
  Object.fromEntries(
    Object.keys(form.shape)
      .filter((name) => (terms.includes(name) ? terms_level : level) === 'ORGANIZATION')
      .map((name) => [name, (terms.includes(name) ? lms_configured : id !== null) ? isolated(organization_name) : null]),
  )

/** The facts of a configuration page: the applicable values, and an employee as an example. */
export interface ConfigurationFacts {
  now: Configuration
  /** Null if there is no employee, or the person may not see balances. */
  example: ConfigurationExample | null
}

/** Reads the values that apply to the owner in the query, and an example. */
export async function configurationFacts(read: Read, owner: Record<string, string>): Promise<ConfigurationFacts> {
  const example = read(getConfigurationExample, {}, owner).then(
    (answer) => answer.example,
    () => null,
  )
  const { configurations } = await read(listConfigurations, {}, owner)
  const [now] = configurations
  if (!now) throw new Error('The API returned no configuration.')
  return { now, example: await example }
}

/** Further facts of an employer's configuration page: how it is billed. */
export interface EmployerConfigurationFacts extends ConfigurationFacts {
  lms: LmsConfiguration
}

/** Reads the values that apply to an employer; its billing has a call of its own. */
export async function employerConfigurationFacts(read: Read, id: number): Promise<EmployerConfigurationFacts> {
  const [facts, lms] = await Promise.all([
    configurationFacts(read, { 'employer-id': String(id) }),
    read(getLmsConfiguration, { id }),
  ])
  return { ...facts, lms }
}

/** Fields saved by the call of the LMS configuration (API-068). */
const lmsFields = ['payment_method', 'split_invoices', 'show_amount_per_department_code'] as const

/** The id of the employer's own LMS configuration; null while the organization's applies. */
const ownLms = ({ lms }: EmployerConfigurationFacts): number | null => (lms.level === 'EMPLOYER' ? lms.id : null)

/**
 * Fields that the page cannot save: an API without versions implements only the specification, whose `configurations` does not
 * save the LMS configuration.
 */
export function fixedLmsFields(facts: EmployerConfigurationFacts): readonly string[] {
  const { version }: Partial<Configuration> = facts.now
  return version === undefined && ownLms(facts) === null ? lmsFields : []
}

const isGiven = (values: object): boolean => Object.values(values).some((value) => value !== undefined)

/**
 * The changed fields, by the call that saves them: the LMS configuration, null if the employer has none of its own or nothing
 * in it changed, and the rest, null if nothing else changed. `whole` is everything in one body.
 */
export function changedEmployerConfiguration(params: ConfigurationParams, facts: EmployerConfigurationFacts) {
  const whole = changedConfiguration(params, facts.now)
  const { payment_method, split_invoices, show_amount_per_department_code, version, ...values } = whole
  const id = ownLms(facts)
  if (id === null) return { whole, lms: null, rest: whole }
  const { payment_method: method, split_invoices: split, show_amount_per_department_code: shown } = params
  const all = { payment_method: method, split_invoices: split, show_amount_per_department_code: shown }
  return {
    whole,
    lms: isGiven({ payment_method, split_invoices, show_amount_per_department_code })
      ? { id, body: { ...all, version: facts.lms.version } }
      : null,
    rest: isGiven(values) ? { ...values, version } : null,
  }
}

/** Cents that the example may withdraw at once, and in the period, with these values. */
function drawnBy(example: ConfigurationExample, terms: ReturnType<typeof valuesFrom>) {
  const limit = limitOf(example.earned_amount, {
    withdraw_limit_type: terms.withdraw_limit_type ?? 'PERCENTAGE',
    withdraw_limit_amount: terms.withdraw_limit_amount ?? 0,
    withdraw_amount_max: terms.withdraw_amount_max ?? 0,
  })
  const left = Math.max(0, limit - example.taken_amount - example.pending_amount)
  return { limit, most: Math.min(left, terms.single_withdraw_amount_max ?? 0), fee: terms.transaction_fee ?? 0 }
}

/** The fields that each figure of the example depends on. */
const limitFields = ['withdraw_limit_type', 'withdraw_limit_percentage', 'withdraw_limit_dollars', 'withdraw_amount_max'] as const
const figures = {
  limit: ['Limit', limitFields],
  most: ['One advance, at most', [...limitFields, 'single_withdraw_amount_max']],
  fee: ['Fee for it', ['transaction_fee']],
} as const

/** A warning if the two maximums contradict each other; saving is allowed, since the lower one applies. */
const crossing = ({ single_withdraw_amount_max: once, withdraw_amount_max: all }: Partial<ConfigurationParams>): string[] =>
  once && all && once > all
    ? [`Maximum per transaction (${formatCents(once)}) is above maximum per pay period (${formatCents(all)}), which limits both.`]
    : []

/**
 * The effect of the fields on the example: what may be withdrawn of the earnings in the open period, now and after saving.
 * Invalid values have no figure.
 */
export function configurationPreview(params: Partial<ConfigurationParams>, { now, example }: ConfigurationFacts): PagePreview {
  const warned = crossing(params)
  if (!example)
    return {
      title: 'What it means',
      head: [],
      rows: [],
      notes: [...warned, 'Shown here on one of its employees, once somebody has an open pay period that you may see.'],
    }
  const before = drawnBy(example, valuesFrom(savedConfiguration(now)))
  const after = drawnBy(example, valuesFrom(params))
  const refused = new Set(form.safeParse(params).error?.issues.map(({ path }) => path[0]))
  const isWrong = (name: keyof typeof figures) => figures[name][1].some((field) => refused.has(field))
  const row = (name: keyof typeof figures) => ({
    id: name,
    cells: [figures[name][0], formatCents(before[name]), isWrong(name) ? '—' : formatCents(after[name])],
  })
  const name = isolated(example.name)
  return {
    title: `What it means for ${name}`,
    head: ['Of the open period', 'Now', 'After saving'],
    rows: [row('limit'), row('most'), row('fee')],
    notes: [
      ...warned,
      isWrong('most') || after.most === before.most
        ? `${name} has earned ${formatCents(example.earned_amount)} so far and can withdraw up to ${formatCents(before.most)}.`
        : `${name} has earned ${formatCents(example.earned_amount)} so far and could withdraw up to ${formatCents(after.most)} instead of ${formatCents(before.most)}.`,
      ...(isWrong('most') || isWrong('fee') ? ['There is no figure for a value that has to be corrected first.'] : []),
    ],
  }
}
