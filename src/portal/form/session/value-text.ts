import { formatCents } from '#domain/money.ts'
import { wholeNumber } from '#domain/text.ts'
import type { Field } from '#kernel/form.ts'
import type { MoneyLine } from '#kernel/money-lines.ts'
import type { Values } from '#kernel/form-values.ts'
import { integerText, percentageText } from '#portal/format/amount-text.ts'
import { shortDate } from '#portal/format/dates.ts'

/** A value as text, `$2.99`, `40%`, `On`. */
export function inWords(field: Field, value: unknown): string {
  if (value === undefined || value === null) return 'no value'
  if (field.kind === 'table' && Array.isArray(value))
    return `${value.length} ${field.one ?? 'row'}${value.length === 1 ? '' : 's'}`
  if (field.kind === 'switch') return value === true ? 'On' : 'Off'
  if (field.kind === 'date') return shortDate(String(value))
  if (typeof value !== 'number') return field.options.find((option) => option.value === value)?.label ?? String(value)
  if (field.kind === 'money') return formatCents(value)
  return field.kind === 'percentage' ? `${percentageText.format(value)}%` : integerText.format(value)
}

const simple = /^(money|percentage|integer|date|choice|switch|text|long-text)$/

/** Fields that two people changed, with the saved value if it is short: `Amount (now $700.00), Notes`. */
export const bothSay = (fields: readonly Field[], now: Values): string =>
  fields
    .map((field) => {
      const words = simple.test(field.kind) ? inWords(field, now[field.name] ?? undefined) : ''
      return words && words.length <= 60 ? `${field.title} (now ${words})` : field.title
    })
    .join(', ')

/** The message if the amounts of a draft have changed when it is opened again. */
export function amountsChanged(lines: readonly MoneyLine[]): string {
  const [few, more] = [lines.slice(0, 3).map(({ title }) => title), lines.length - 3]
  const which = few.length
    ? `the amounts of ${few.join(', ')}${more > 0 ? ` and ${wholeNumber(more)} more` : ''}`
    : 'these amounts'
  return `Something changed since you typed this: ${which} do something else now. Change one, or send them as shown.`
}
