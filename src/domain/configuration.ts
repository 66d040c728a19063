import { formatCents } from '#domain/money.ts'
import { type Refusal, refuse } from '#domain/refusal.ts'

/** Whose values apply: the organization's, until an employer has its own (docs/rules/companies.md). */
export const configurationLevels = ['ORGANIZATION', 'EMPLOYER'] as const
export type ConfigurationLevel = (typeof configurationLevels)[number]

/** Unit of the share of earned wages that may be withdrawn (ENT-045). */
export const withdrawLimitTypes = ['PERCENTAGE', 'AMOUNT'] as const
export type WithdrawLimitType = (typeof withdrawLimitTypes)[number]
/** Labels of the types. */
export const withdrawLimitLabels: Readonly<Record<WithdrawLimitType, string>> = { PERCENTAGE: 'Percentage', AMOUNT: 'Amount' }

/** A stored configuration with its withdraw limit under a name that includes the unit: basis points, or cents. */
export const limitByUnit = (filed: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const type = filed['withdraw_limit_type']
  if (type !== 'PERCENTAGE' && type !== 'AMOUNT') return { ...filed }
  const unit = type === 'AMOUNT' ? 'withdraw_limit_dollars' : 'withdraw_limit_percentage'
  return Object.fromEntries(Object.entries(filed).map(([name, value]) => [name === 'withdraw_limit_amount' ? unit : name, value]))
}

/**
 * Both maximum amounts of the unlimited transfer option, in cents; the highest possible maximum (CFG-017,
 * docs/rules/companies.md).
 */
export const unlimitedMaximum = 300_000
/** Maximum withdraw limit as an amount, in cents (CFG-004, docs/rules/companies.md). */
export const maxWithdrawLimit = 10_000
/** Exclusive upper bound of a withdraw limit as a percentage, in basis points (CFG-009). */
export const withdrawLimitBelow = 5_000
/** Maximum fee of a transaction, in cents (CFG-007). */
export const maxTransactionFee = 2_000
/** Maximum number of hours counted per day (CFG-006). */
export const maxDailyHours = 24
/** Maximum percentage, in basis points (CFG-005). */
export const maxPercentage = 10_000

/** Maximum share of an invoice that may roll over, in basis points (CFG-014). */
export const maxRollover = 1_000
/** Message for a rollover percentage above the maximum. */
export const rolloverHint = `At most ${maxRollover / 100}%`

/** Kinds of partners of an employer (ENT-057). */
export const partnerTypes = ['NONE', 'PAYROLL', 'TIMEKEEPING', 'EMS'] as const
export type PartnerType = (typeof partnerTypes)[number]
/** Labels of the kinds. */
export const partnerLabels: Readonly<Record<PartnerType, string>> = {
  NONE: 'None',
  PAYROLL: 'Payroll provider',
  TIMEKEEPING: 'Timekeeping provider',
  EMS: 'Employee management system',
}

/** Maximum length of the name of an integrations folder (CFG-015). */
export const maxFolderName = 50
/** Whether a text is a valid name of an integrations folder (CFG-016). */
export const isFolderName = (name: string): boolean => /^[A-Za-z0-9_-]*$/.test(name)
/** Message for an invalid name. */
export const folderNameRule = 'Only letters, numbers, _ or -, and no spaces'

/** How people open the portal of a partner (API-069). */
export const linkTypes = ['REDIRECT', 'EMBEDDED', 'NONE'] as const
export type LinkType = (typeof linkTypes)[number]
/** Labels of the types. */
export const linkLabels: Readonly<Record<LinkType, string>> = { REDIRECT: 'Redirect', EMBEDDED: 'Embedded', NONE: 'None' }

/** The error in the address of a partner's portal: required unless the link type is none, and with https. */
export function validatePartnerLink(type: LinkType, url: string | null | undefined): string | null {
  if (!url) return type === 'NONE' ? null : 'This is a required field.'
  const host = URL.canParse(url) ? new URL(url) : null
  return host?.protocol === 'https:' && host.hostname.includes('.') ? null : 'Enter a URL that begins with https://'
}

/** Identifiers of employees in the files of an employer (ENT-053). */
export const employeeIdentifiers = ['EMPLOYEE_ID', 'EXTERNAL_TK_ID', 'SECONDARY_EXTERNAL_TK_ID'] as const
export type EmployeeIdentifier = (typeof employeeIdentifiers)[number]
/** Labels of the identifiers. */
export const identifierLabels: Readonly<Record<EmployeeIdentifier, string>> = {
  EMPLOYEE_ID: 'Employee id',
  EXTERNAL_TK_ID: 'External TK id',
  SECONDARY_EXTERNAL_TK_ID: 'Secondary external TK id',
}

/** Message for a value of zero or less (CFG-003). */
export const aboveZero = 'Must be greater than 0'
/** Message for a withdraw limit in percent out of bounds (CFG-008, CFG-009). */
export const withdrawLimitBounds = `Must be above 0% and below ${withdrawLimitBelow / 100}%`
/** Message for a withdraw limit in dollars above the maximum. */
export const withdrawLimitHint = `At most ${formatCents(maxWithdrawLimit)}`

/** The error in a withdraw limit: basis points or cents, by its type (CFG-003, CFG-004, CFG-008, CFG-009). */
export function validateWithdrawLimit(type: WithdrawLimitType, amount: number): string | null {
  if (type === 'PERCENTAGE') return amount <= 0 || amount >= withdrawLimitBelow ? withdrawLimitBounds : null
  if (amount <= 0) return aboveZero
  return amount > maxWithdrawLimit ? withdrawLimitHint : null
}

/** Whether both maximum amounts are those of the unlimited transfer option (CFG-017). */
export const isUnlimited = (one: { single_withdraw_amount_max: number; withdraw_amount_max: number }): boolean =>
  one.single_withdraw_amount_max === unlimitedMaximum && one.withdraw_amount_max === unlimitedMaximum

/** Why a configuration cannot be created: there is one already, and the switch to employer level happens only once (CFG-002). */
export function canCreateConfiguration(one: {
  id: number | null
  level: ConfigurationLevel
  employer_id: number | null
}): Refusal | null {
  const own = one.id !== null && (one.level === 'EMPLOYER' || one.employer_id === null)
  return own ? refuse('already-configured', 'There is a configuration of its own already. Change that one.') : null
}

/** Payment terms of invoices in a configuration. They belong to the LMS configuration, which has a level of its own. */
export const invoiceTerms = [
  'payment_method',
  'split_invoices',
  'show_amount_per_department_code',
  'ach_processing_days',
  'invoice_deadline',
  'invoice_net_days',
] as const
