const reasons = new Map<string, string | null>()

/**
 * The holidays of the Federal Reserve banks, computed from their published rule independently of the product: each day is checked
 * separately, once. `date` is `yyyy-MM-dd`.
 */
export function closedBecause(date: string): string | null {
  const known = reasons.get(date)
  if (known !== undefined) return known
  const reason = reasonOf(date)
  reasons.set(date, reason)
  return reason
}

function reasonOf(date: string): string | null {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay()
  const name = holidayAt(month, day, weekday)
  return name ?? (weekday === 0 || weekday === 6 ? 'weekend' : null)
}

/** On a fixed day; a Sunday is observed on the Monday after it, a Saturday on the day itself. */
const fixed: readonly (readonly [month: number, day: number, name: string])[] = [
  [1, 1, "New Year's Day"],
  [6, 19, 'Juneteenth'],
  [7, 4, 'Independence Day'],
  [11, 11, 'Veterans Day'],
  [12, 25, 'Christmas Day'],
]

/** On the nth weekday of a month: 1 is Monday, 4 Thursday. */
const floating: readonly (readonly [month: number, weekday: number, nth: number, name: string])[] = [
  [1, 1, 3, 'Martin Luther King Jr. Day'],
  [2, 1, 3, "Washington's Birthday"],
  [9, 1, 1, 'Labor Day'],
  [10, 1, 2, 'Columbus Day'],
  [11, 4, 4, 'Thanksgiving Day'],
]

function holidayAt(month: number, day: number, weekday: number): string | null {
  for (const [inMonth, on, name] of fixed) {
    if (month === inMonth && day === on && weekday !== 0) return name
    if (month === inMonth && day === on + 1 && weekday === 1) return name
  }
  for (const [inMonth, on, nth, name] of floating)
    if (month === inMonth && weekday === on && day > 7 * (nth - 1) && day <= 7 * nth) return name
  return month === 5 && weekday === 1 && day > 24 ? 'Memorial Day' : null
}

/** The date N days later, by the `Date` of the language. */
export const plusDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** The same day of a later month; the last day of a shorter month, and always the last day if it was one. */
export function plusMonths(date: string, months: number): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const last = (y: number, m: number) => new Date(Date.UTC(y, m, 0)).getUTCDate()
  const at = new Date(Date.UTC(year, month - 1 + months, 1))
  const max = last(at.getUTCFullYear(), at.getUTCMonth() + 1)
  const kept = day === last(year, month) ? max : Math.min(day, max)
  return `${at.toISOString().slice(0, 8)}${String(kept).padStart(2, '0')}`
}
