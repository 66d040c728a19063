import { formatCents } from '#domain/money.ts'
import { partsText } from '#domain/parts.ts'
import type { States } from '#domain/status.ts'
import { shortDate } from '#portal/format/dates.ts'

/** A value in words whatever it is: an item after the other, the parts of an object by their names. */
function plainWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(plainWords).join(', ')
  if (typeof value === 'object' && value !== null) return partsText(value, (_, part) => plainWords(part ?? 'none'))
  return String(value)
}

/**
 * What the history names a field, and its values. `titles` has the names that are not the field's own words, `states` those
 * of the fields that hold one, `values` what says a field's value in words of its own.
 */
export const changeWords = (
  titles: Readonly<Record<string, string>>,
  states: Readonly<Record<string, States>> = {},
  values: Readonly<Record<string, (value: unknown) => string>> = {},
) => ({
  field: (name: string): string => {
    const words = titles[name] ?? name.replaceAll('_', ' ')
    return words.charAt(0).toUpperCase() + words.slice(1)
  },
  value: (field: string, value: unknown): string => {
    // Of a list with nothing in it there is nothing to read.
    if (String(value ?? '') === '') return 'none'
    const own = Object.hasOwn(values, field) ? values[field] : undefined
    if (own) return own(value)
    if (typeof value === 'number' && /amount$/.test(field)) return formatCents(value)
    const known = Object.hasOwn(states, field) ? states[field] : undefined
    if (known) return known.label(String(value))
    return /(^|_)date$/.test(field) ? shortDate(String(value)) : plainWords(value)
  },
})
