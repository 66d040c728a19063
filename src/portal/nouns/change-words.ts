import { formatCents } from '#domain/money.ts'
import { labelOf } from '#domain/status.ts'
import { shortDate } from '#portal/format/dates.ts'

/**
 * What the history names a field, and its values. `titles` has the names that are not the field's own words, `labelled` the
 * fields that hold a status without saying so, `values` what says a field's value in words of its own.
 */
export const changeWords = (
  titles: Readonly<Record<string, string>>,
  labelled: readonly string[] = [],
  values: Readonly<Record<string, (value: unknown) => string>> = {},
) => ({
  field: (name: string): string => {
    const words = titles[name] ?? name.replaceAll('_', ' ')
    return words.charAt(0).toUpperCase() + words.slice(1)
  },
  value: (field: string, value: unknown): string => {
    if (value === null || value === undefined) return 'none'
    const own = Object.hasOwn(values, field) ? values[field] : undefined
    if (own) return own(value)
    if (typeof value === 'boolean') return value ? 'yes' : 'no'
    if (typeof value === 'number' && /amount$/.test(field)) return formatCents(value)
    if (/(^|_)stat(us|e)$/.test(field) || labelled.includes(field)) return labelOf(String(value))
    return /(^|_)date$/.test(field) ? shortDate(String(value)) : String(value)
  },
})
