import { z } from 'zod'
import type { Employer } from '#contract/employers.ts'
import {
  changeConfiguration,
  type Configuration,
  configurationFields,
  createConfiguration,
  listConfigurations,
} from '#contract/configurations.ts'
import { choice, money, onOff, percentage } from '#contract/fields.ts'
import {
  aboveZero,
  isUnlimited,
  mostWithdrawLimit,
  unlimitedMaximum,
  withdrawLimitBelow,
  withdrawLimitBounds,
  withdrawLimitMost,
  withdrawLimitTypes,
} from '#domain/configuration.ts'
import { formatCents } from '#domain/money.ts'
import { isolated } from '#domain/text.ts'
import { employer } from '#entities/employer.ts'
import { changesIn, definePageForm } from '#kernel/page-form.ts'

const section = 'Withdrawals'
const ofType = (is: (typeof withdrawLimitTypes)[number]) => ({ section, when: { field: 'withdraw_limit_type', is } })
const own = configurationFields

const form = z.object({
  withdraw_limit_type: choice('Limit type', withdrawLimitTypes, { PERCENTAGE: 'Percentage', AMOUNT: 'Amount' }, { section }),
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
    max: mostWithdrawLimit,
    below: aboveZero,
    above: withdrawLimitMost,
    help: withdrawLimitMost,
    ...ofType('AMOUNT'),
  }).optional(),
  unlimited_transfer: onOff('Unlimited transfer', { section, help: `Sets both maximums to ${formatCents(unlimitedMaximum)}` }),
  single_withdraw_amount_max: own.single_withdraw_amount_max.optional(),
  withdraw_amount_max: own.withdraw_amount_max.optional(),
  requests_per_cycle: own.requests_per_cycle.optional(),
  transaction_fee: own.transaction_fee.optional(),
  timekeeping_approval_threshold: own.timekeeping_approval_threshold.optional(),
  daily_hours_limit: own.daily_hours_limit,
  ach_processing_days: own.ach_processing_days,
  invoice_deadline: own.invoice_deadline,
  invoice_net_days: own.invoice_net_days,
})
type Params = z.infer<typeof form>

/** The terms of invoices belong to the LMS configuration, which has a level of its own. */
const terms = ['ach_processing_days', 'invoice_deadline', 'invoice_net_days']

/** The fields as they are saved: 0 stands for none. */
function saved(one: Configuration) {
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
  }
}

/** The values that the fields stand for; null clears one. */
function valuesFrom(params: Params) {
  const { withdraw_limit_percentage, withdraw_limit_dollars, unlimited_transfer, ...rest } = params
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
  }
}

export default definePageForm<Employer, Configuration, Params>({
  id: 'employer.configure',
  title: 'Edit employer configuration',
  on: employer,
  does: [createConfiguration, changeConfiguration],
  form,
  facts: async (one, read) => {
    const { configurations } = await read(listConfigurations, {}, { 'employer-id': employer.id(one) })
    const [own] = configurations
    if (!own) throw new Error('The API told no configuration.')
    return own
  },
  saved,
  inherited: ({ level, terms_level, organization_name }) =>
    Object.fromEntries(
      Object.keys(form.shape)
        .filter((name) => (terms.includes(name) ? terms_level : level) === 'ORGANIZATION')
        .map((name) => [name, isolated(organization_name)]),
    ),
  confirms: (one, { level }) =>
    level === 'EMPLOYER'
      ? null
      : `Saving switches ${employer.title(one)} from organization to employer level. This cannot be undone.`,
  plan: (one, params, now) => {
    const values = valuesFrom(params)
    const before = valuesFrom(saved(now))
    // An amount means something else with its type.
    const limit =
      values.withdraw_limit_type === before.withdraw_limit_type ? {} : { withdraw_limit_amount: values.withdraw_limit_amount }
    const body = { ...changesIn(values, before), ...limit, version: now.version }
    return now.level === 'EMPLOYER' && now.id !== null
      ? [changeConfiguration({ id: now.id }, body)]
      : [createConfiguration({}, { employer_id: one.id, ...body })]
  },
  done: (one) => `Saved the configuration of ${employer.title(one)}`,
  failed: (one) => `Something went wrong saving the configuration of ${employer.title(one)}`,
})
