import type { Invoice } from '#contract/invoices.ts'
import { formatCents } from '#domain/money.ts'
import { labelOf, markOf } from '#domain/status.ts'
import { shortDate } from '#portal/format/dates.ts'
import type { Column } from '#portal/list/pane.ts'

/** An amount in cents; the dash of an empty cell without one. */
export const amountText = (cents: number | null | undefined): string => (cents == null ? '—' : formatCents(cents))

/** Yes or no, as lists have it. */
export const yesNo = (yes: boolean): string => (yes ? 'Yes' : 'No')

/** The dash of an empty cell where there is nothing. */
export const orDash = (text: string | number | null | undefined): string =>
  text === null || text === undefined || text === '' ? '—' : String(text)

/** `Overdue 12 d`, `Overpaid`, `Underpaid`: what follows from amounts and dates, with the shape it is marked by. */
export const derivedMarks = (one: Pick<Invoice, 'derived' | 'days_past_due'>): { state: string; text: string; mark: string }[] =>
  one.derived.map((state) => ({
    state,
    text: state === 'OVERDUE' ? `${labelOf(state)} ${one.days_past_due} d` : labelOf(state),
    mark: markOf(state),
  }))

/** A column of text. */
export const plain = <T>(
  id: string,
  title: string,
  least: number,
  text: (one: T) => string,
  more: Partial<Column<T>> = {},
): Column<T> => ({ id, title, width: [least, 0.7], text, ...more })

/** A column of amounts in cents, right-aligned. */
export const amounts = <T>(
  id: string,
  title: string,
  cents: (one: T) => number | null | undefined,
  more: Partial<Column<T>> = {},
): Column<T> => ({ id, title, width: [88, 0.6], align: 'right', text: (one) => amountText(cents(one)), ...more })

/** A column of dates without a time. */
export const dates = <T>(
  id: string,
  title: string,
  date: (one: T) => string | null | undefined,
  more: Partial<Column<T>> = {},
): Column<T> => ({ id, title, width: [88, 0.5], text: (one) => shortDate(date(one)), ...more })

/** What the history names a field, and its values; `titles` has those that are not the field's own words. */
export const moneyWords = (titles: Readonly<Record<string, string>>) => ({
  field: (name: string): string => {
    const words = titles[name] ?? name.replaceAll('_', ' ')
    return words.charAt(0).toUpperCase() + words.slice(1)
  },
  value: (field: string, value: unknown): string => {
    if (value === null || value === undefined) return 'none'
    if (typeof value === 'boolean') return value ? 'yes' : 'no'
    if (typeof value === 'number' && /amount$/.test(field)) return formatCents(value)
    if (/(^|_)status$|^state$|_state$/.test(field)) return labelOf(String(value))
    return /(^|_)date$/.test(field) ? shortDate(String(value)) : String(value)
  },
})
