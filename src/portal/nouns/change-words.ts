import { capitalize } from '#domain/text.ts'
import { brandOf } from '#domain/brand.ts'
import { formatCents } from '#domain/money.ts'
import { partsText } from '#domain/parts.ts'
import type { States } from '#domain/status.ts'
import { shortDate } from '#portal/format/dates.ts'

const day = /^\d{4}-\d{2}-\d{2}$/
const acronyms = /\b(ach|ee|ewa|lms|tk|url)\b/g

/** Any value as text: booleans, dates without a time, lists by item, objects by property. */
function plainWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(plainWords).join(', ')
  if (typeof value === 'object' && value !== null) return partsText(value, (_, part) => plainWords(part ?? 'none'))
  return day.test(String(value)) ? shortDate(String(value)) : String(value)
}

/** A formatter of codes by their labels; a code without a label is unchanged. */
export const oneOf =
  (labels: Readonly<Record<string, string>>) =>
  (value: unknown): string =>
    labels[String(value)] ?? String(value)

/** A formatter of lists by item; any other value is unchanged. */
export const eachOf =
  <Item>(words: (item: Item) => string) =>
  (value: unknown): string =>
    Array.isArray(value) ? value.map((item) => words(item as Item)).join(', ') : String(value)

/**
 * The titles that a history gives fields, and its text for their values. `titles` has the titles that differ from the name of the
 * field, `states` the states of status fields, `values` the formatters of fields that need one of their own. Amounts are integer
 * cents, dates `yyyy-MM-dd`.
 */
export const changeWords = (
  titles: Readonly<Record<string, string>>,
  states: Readonly<Record<string, States>> = {},
  values: Readonly<Record<string, (value: unknown) => string>> = {},
) => ({
  field: (name: string): string => {
    const words = titles[name] ?? name.replaceAll('_', ' ').replace(acronyms, (word) => word.toUpperCase())
    return capitalize(words)
  },
  value: (field: string, value: unknown): string => {
    // Covers the empty list, too, which converts to an empty string.
    if (String(value ?? '') === '') return 'none'
    const own = Object.hasOwn(values, field) ? values[field] : undefined
    if (own) return own(value)
    if (typeof value === 'number' && /amount$/.test(field)) return formatCents(value)
    const known = Object.hasOwn(states, field) ? states[field] : undefined
    if (known) return known.label(String(value))
    return field === 'brand' ? brandOf(String(value)).name : plainWords(value)
  },
})
