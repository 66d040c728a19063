import type { Filter, FilterSetting } from '#contract/filter.ts'
import { formatCents, parseDollars } from '#domain/money.ts'
import { tellsWhen } from '#kernel/filter-comparisons.ts'
import {
  type Filtered,
  type Meaning,
  ofEachDate,
  readFilterWords,
  saysMonthOrDay,
  saysOnlyMonth,
  saysTime,
} from '#kernel/filter-words.ts'
import { excludes } from '#kernel/sentence/meaning-words.ts'
import { isAmount, type ListReading } from '#kernel/sentence/reading.ts'

const isByValue = ({ type }: FilterSetting): boolean => /^is/.test(type)

/** A word before a time, which belongs to it. */
export const leadsToTime = /^(?:on|in|by|before|after|since|from|until|till) /i

/**
 * A period at the end or start of the words, `laurel last month`, `birch since october` or `oct zephyr`, the longest one, and the
 * other words; null without one. Months that are also names do not count before other words: `april chen`.
 */
export function timeBeside(
  words: readonly string[],
  months: RegExp,
  spanOf: Filtered['spanOf'],
): { time: string; rest: string } | null {
  const isTime = (words: string, month: RegExp) => {
    const time = words.replace(leadsToTime, '')
    return (saysTime.test(time) || month.test(time)) && spanOf(time.toLowerCase(), true) !== null
  }
  const parts = words.slice(1).flatMap((_, at) => {
    const [before, behind] = [words.slice(0, at + 1).join(' '), words.slice(at + 1).join(' ')]
    return [
      ...(isTime(behind, months) ? [{ time: behind, rest: before }] : []),
      ...(isTime(before, saysOnlyMonth) ? [{ time: before, rest: behind }] : []),
    ]
  })
  return parts.sort((one, other) => other.time.length - one.time.length)[0] ?? null
}

/**
 * The filters that the words beside a list name; none if the words are a text search. A single day may apply to any date of the
 * list, unless only one fits. A comparison is not a name: `overdue laurel > 500` searches only for the rest. With `every` set,
 * each word must be a filter, or they form a day, or only some of them must.
 */
export const saidBeside = (...asked: Parameters<typeof meaningsOf>): Meaning[] =>
  // What is excluded and was not read would be the opposite: `not under 50`.
  meaningsOf(...asked).filter(({ q }) => !excludes(q))

function meaningsOf(q: string, filters: readonly Filter[], spanOf: Filtered['spanOf'], every?: ListReading['every']): Meaning[] {
  const cents = isAmount(q) && parseDollars(q)
  // A partial word is not a filter: it may be somebody's name.
  const read = readFilterWords(cents ? `${formatCents(cents)} to ${formatCents(cents + 1)}` : q, {
    filters,
    titles: [],
    searched: true,
    spanOf,
    whole: true,
  })
  const whole = read.find((each) => each.q === '' && each.set.length > 0)
  if (whole) return [whole]
  const beside = read.find(({ set, q: rest }) => set.some(isByValue) && !excludes(rest))
  if (beside && (every !== 'word' || excludes(q))) return [beside]
  if (every === 'word' && spanOf(q, true) === null) return []
  const compared = read.find(({ set }) => set.some(({ type }) => /^(over|under|between)$/.test(type)))
  const rest = compared?.q ?? q
  // The hire date of a person is not the time of an event.
  const months = tellsWhen(filters) ? saysMonthOrDay : saysOnlyMonth
  const ofEach = (time: string) =>
    saysTime.test(time) || months.test(time) ? ofEachDate(time, { filters, spanOf }).map(({ set }) => set) : []
  const dated = ofEach(rest)
  const also = compared?.set ?? []
  // Some months are also names.
  const called = dated.length && saysMonthOrDay.test(rest) && !saysOnlyMonth.test(rest) ? [{ set: also, q: rest }] : []
  if (dated.length) return [...dated.map((set) => ({ set: [...also, ...set], q: '' })), ...called]
  if (compared || !tellsWhen(filters)) return compared ? [compared] : []
  // A period beside a text search, for any of the dates.
  const timed = timeBeside(q.split(/\s+/), months, spanOf)
  return timed ? ofEach(timed.time).map((set) => ({ set, q: timed.rest })) : []
}
