import type { Filter, FilterSetting } from '#contract/filter.ts'
import { parseDollars } from '#domain/money.ts'
import { fold } from '#kernel/fold.ts'

/** What words may mean for a list: filters to set, and what is searched for besides. */
export interface Meaning {
  set: readonly FilterSetting[]
  q: string
}

/** A value of a filter, as it is said: `paused`, `flagged debtor`. */
interface Saying {
  words: string
  filter: Filter
  value: string
}

/** So many meanings are offered at most. */
const most = 8
/** More words than these are a text to search for: each may be read in several ways. */
const mostWords = 8

const isYesNo = ({ field }: Filter): boolean => field.options?.map(({ value }) => value).join() === 'YES,NO'

/**
 * Everything that can be said of filters by value: its word, and its name in the specification. What is so or not is said by
 * the filter's name.
 */
function sayingsOf(filters: readonly Filter[]): Saying[] {
  return filters.flatMap((filter): Saying[] => {
    if (filter.field.kind !== 'choices') return []
    if (isYesNo(filter)) return [{ words: fold(filter.title), filter, value: 'YES' }]
    return (filter.field.options ?? []).flatMap(({ value, label }) =>
      [...new Set([fold(label), fold(value)])].map((words) => ({ words, filter, value })),
    )
  })
}

const comparison = /(?:^|\s)(>=?|<=?|over\b|above\b|under\b|below\b)\s*(\(?[-−]?\$?[\d.,]+\)?)(?=\s|$)/i

/** Takes `> 500` out of what was typed: the setting of the list's amount, in cents, and the rest. */
function amountIn(typed: string, filters: readonly Filter[]): { set: FilterSetting[]; rest: string } {
  const filter = filters.find(({ field }) => field.kind === 'money')
  const found = filter && comparison.exec(typed)
  const cents = found ? parseDollars(found[2] as string) : null
  if (!filter || !found || cents === null) return { set: [], rest: typed }
  const sign = (found[1] as string).toLowerCase()
  const over = /^(>|over|above)/.test(sign)
  // What includes the amount itself is one cent further.
  const value = cents + (sign.endsWith('=') ? (over ? -1 : 1) : 0)
  const set = { id: filter.id, type: over ? ('over' as const) : ('under' as const), value: String(value) }
  return { set: [set], rest: typed.replace(found[0], ' ') }
}

/** One more setting: values of one filter add up, a setting of another kind takes its place. */
function adding(set: readonly FilterSetting[], { filter, value }: Saying, not: boolean): FilterSetting[] {
  const type = not && !isYesNo(filter) ? 'is_not' : 'is'
  const said = not && isYesNo(filter) ? 'NO' : value
  const before = set.find(({ id }) => id === filter.id)
  const values = before?.type === type ? [...new Set([...before.value.split(','), said])] : [said]
  return [...set.filter((each) => each !== before), { id: filter.id, type, value: values.join(',') }]
}

/** `biweekly` is `Bi-weekly`, too. */
const joined = (words: string): string => words.replaceAll(' ', '')

const joining = /^(or|and)$/
const negation = /^(not|no|!)$/

/** Reads words from the left, the longest saying first; one that several filters have is read for each. */
function readExactly(words: readonly string[], sayings: readonly Saying[], so: Meaning): Meaning[] {
  const [word] = words
  if (word === undefined) return [so]
  const not = negation.test(word) && words.length > 1
  const from = not ? words.slice(1) : words
  for (let length = from.length; length > 0; length--) {
    const said = from.slice(0, length).join('')
    const fitting = sayings.filter((saying) => joined(saying.words) === said)
    if (fitting.length)
      return fitting.flatMap((saying) =>
        readExactly(from.slice(length), sayings, { ...so, set: adding(so.set, saying, not) }).slice(0, most),
      )
  }
  return readExactly(words.slice(1), sayings, { ...so, q: `${so.q} ${word}`.trim() })
}

/** What the last words, which may be half typed, could become: the most words first. */
function completed(words: readonly string[], sayings: readonly Saying[], so: Meaning): Meaning[] {
  return words.flatMap((_, at) => {
    const not = at > 0 && negation.test(words[at - 1] as string)
    const typed = words.slice(at).join(' ')
    const begins = (saying: Saying) =>
      joined(saying.words) !== joined(typed) &&
      (` ${saying.words}`.includes(` ${typed}`) || joined(saying.words).startsWith(joined(typed)))
    const fitting = sayings.filter(begins)
    if (!fitting.length) return []
    return readExactly(words.slice(0, not ? at - 1 : at), sayings, so).flatMap((before) =>
      fitting
        // Behind words that are searched for, `dec` begins a saying; it is no word within one.
        .filter((saying) => before.q === '' || joined(saying.words).startsWith(joined(typed)))
        .map((saying) => ({ ...before, set: adding(before.set, saying, not) })),
    )
  })
}

/**
 * What was typed as filters of a list by value, best first: `paused raven`, `not paused`, `overdue > 500`, `pau`. What no
 * filter says is searched for, where the list is `searched`. Amounts are dollars as people write them, settings have cents.
 */
export function readFilterWords(typed: string, filters: readonly Filter[], searched: boolean): Meaning[] {
  const { set, rest } = amountIn(typed, filters)
  const sayings = sayingsOf(filters)
  const said = fold(rest)
    .split(/[\s,]+/)
    .filter(Boolean)
  // Values of one filter add up with a word between them, or without one.
  const words = said.filter((word, at) => !(joining.test(word) && at > 0 && at < said.length - 1))
  if (words.length > mostWords) return searched ? [{ set: [], q: typed.trim() }] : []
  const begun = { set, q: '' }
  const exact = readExactly(words, sayings, begun)
  const half = completed(words, sayings, begun)
  // What names a filter may stand in a row as well.
  const read = exact[0]?.q === '' ? [...exact, ...half.slice(0, most - 2), { set: [], q: typed.trim() }] : [...half, ...exact]
  const good = read.filter((each) => (each.set.length > 0 || each.q !== '') && (searched || each.q === ''))
  return [...new Map(good.map((each) => [JSON.stringify(each), each])).values()].slice(0, most)
}
