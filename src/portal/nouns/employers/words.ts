import { capitalize } from '#domain/text.ts'
import { levelLabels } from '#contract/data-emails.ts'
import { paymentMethodLabels } from '#contract/invoices.ts'
import { identifierLabels, linkLabels, partnerLabels, withdrawLimitLabels } from '#domain/configuration.ts'
import type { StatusMapping } from '#domain/import.ts'
import type { MappingColumn } from '#domain/mapping.ts'
import { mappingFieldLabels, mappingKindLabels } from '#domain/mapping-fields.ts'
import { formatCents } from '#domain/money.ts'
import { adjustmentLabels, monthEndLabels } from '#domain/pay-group.ts'
import { partsText } from '#domain/parts.ts'
import { percentageText } from '#portal/format/amount-text.ts'
import { shortDate } from '#portal/format/dates.ts'
import { eachOf, oneOf } from '#portal/nouns/change-words.ts'

/** The texts of a history for the fields of a company. */
export const companyFields: Readonly<Record<string, string>> = {
  csm: 'Customer success manager',
  direct_customer: 'Direct customer',
  go_live_date: 'Go-live date',
  split_invoices: 'Split invoices',
  auto_ach: 'Auto ACH',
  employee_identifier_type: 'Employee identifier',
  show_amount_per_department_code: 'Amounts by department code',
  single_withdraw_amount_max: 'Maximum per transaction',
  terms_level: 'Level of invoice terms',
  timekeeping_approval_threshold: 'Approval threshold',
  withdraw_limit_amount: 'Limit',
  withdraw_limit_percentage: 'Limit',
  withdraw_limit_dollars: 'Limit',
  withdraw_limit_type: 'Limit type',
  partner_external_url: 'Partner URL',
  pay_codes: 'Pay codes',
  file_mapping: 'File mapping id',
  should_send_ewa_file: 'Send EWA files',
  should_send_empty_ewa_file: 'Send empty EWA files',
  auto_approve_ewa_file: 'Approve by itself',
  send_ewa_email: 'Send EWA e-mail',
  allowed_rollover_percentage: 'Allowed rollover',
  withdraw_amount_max: 'Maximum per pay period',
  pay_group: 'Pay group id',
  adjustment_type: 'On a closed day',
  month_end: 'Last day of a month',
  derived: 'Taken from invoices',
}

const numbers =
  (written: (value: number) => string) =>
  (value: unknown): string =>
    typeof value === 'number' ? written(value) : String(value)
const dollars = numbers(formatCents)
const percent = numbers((points) => `${percentageText.format(points)}%`)
/** A code as its label, `BI_WEEKLY` as Bi-weekly: importing the labels would exceed the size limit of the first list. */
const codeWords = (value: unknown): string => {
  const words = String(value).toLowerCase().replace('_', '-')
  return capitalize(words)
}

/** A column of a file mapping: its header or value, and its meaning. */
const columnWords = ({ header, field, static_value, read_as }: Partial<MappingColumn>): string => {
  const cell = header ?? (static_value ? `“${static_value}”` : 'a column')
  const means = field ? ` is ${mappingFieldLabels[field]}` : ''
  return `${cell}${means}${read_as ? `, read as ${codeWords(read_as).toLowerCase()}` : ''}`
}

/** A work period of a pay group: all its properties are dates. */
const period = (value: unknown): string => partsText(value as object, (_, date) => shortDate(String(date)))

/**
 * How a history shows the values of a company and its configurations: amounts in cents, percentages in basis points, and codes.
 */
export const companyValues: Readonly<Record<string, (value: unknown) => string>> = {
  columns: eachOf(columnWords),
  kind: oneOf(mappingKindLabels),
  statuses: eachOf(({ value, means }: StatusMapping) => `${value} means ${codeWords(means).toLowerCase()}`),
  vendor: codeWords,
  adjustment_type: oneOf(adjustmentLabels),
  allowed_rollover_percentage: percent,
  employee_identifier_type: oneOf(identifierLabels),
  first_work_period: period,
  level: oneOf(levelLabels),
  link_type: oneOf(linkLabels),
  partner_type: oneOf(partnerLabels),
  pay_codes: (value) => (Array.isArray(value) ? value.join(', ') : String(value)),
  payment_method: oneOf(paymentMethodLabels),
  month_end: oneOf(monthEndLabels),
  payroll_frequency: codeWords,
  second_work_period: period,
  single_withdraw_amount_max: dollars,
  terms_level: oneOf(levelLabels),
  timekeeping_approval_threshold: percent,
  transaction_fee: dollars,
  withdraw_amount_max: dollars,
  // Dollars or percent, both stored in hundredths: an event without the type does not say which.
  withdraw_limit_amount: numbers(percentageText.format),
  withdraw_limit_dollars: dollars,
  withdraw_limit_percentage: percent,
  withdraw_limit_type: oneOf(withdrawLimitLabels),
}
