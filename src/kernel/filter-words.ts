import type { Filter, FilterSetting } from '#contract/filter.ts'
import {
  amountIn,
  type Comparable,
  dateIn,
  maxNameWords,
  namesOf,
  saysDateFirst,
  textNamed,
  withoutColons,
} from '#kernel/filter-comparisons.ts'
import { fold } from '#kernel/fold.ts'
import { isExclusion, withPlainExclusions } from '#kernel/sentence/meaning-words.ts'

/** One interpretation of the words for a list: filters to set, and the text to search for. */
export interface Meaning {
  set: readonly FilterSetting[]
  q: string
}

/** A filter value as people type it: `paused`, `flagged debtor`. */
export interface Saying {
  /** Folded. */
  words: string
  filter: Filter
  value: string
  /** A condition without a value: `hire date is empty`. */
  type?: 'empty' | 'not_empty'
  /** Whether it is said by excluding the filter: `without hire date`. */
  excluded?: boolean
}

/** The list that is filtered. */
export interface Filtered extends Comparable {
  /** Whether the list supports text search. */
  searched: boolean
  /** Further phrases for its filters besides their own values. */
  sayings?: readonly Saying[]
  /** True if the last word is complete, so that it is not autocompleted. */
  whole?: true
}

/** Maximum number of interpretations offered. */
const maxMeanings = 8
/** Longer input is treated as search text: each word may have several interpretations. */
const maxWords = 8
/** The same limit for the whole input, including comparisons. */
const maxTypedWords = 3 * maxWords

/** Whether a filter is a flag. */
export const isYesNo = ({ field }: Pick<Filter, 'field'>): boolean => field.options?.map(({ value }) => value).join() === 'YES,NO'

/** All phrases for filters by value: the label and the name in the specification. A flag is named by its filter. */
function sayingsOf(filters: readonly Filter[]): Saying[] {
  return filters.flatMap((filter): Saying[] => {
    const empty = filter.types.includes('empty') ? namesOf(filter).flatMap((name) => emptyOf(filter, name)) : []
    if (filter.field.kind !== 'choices') return empty
    if (isYesNo(filter)) return namesOf(filter).map((words) => ({ words, filter, value: 'YES' }))
    return [
      ...empty,
      ...(filter.field.options ?? []).flatMap(({ value, label }) =>
        [...new Set([fold(label), fold(value)])].map((words) => ({ words, filter, value })),
      ),
    ]
  })
}

/** Ways to say that a field has no value, or has one. */
const emptyOf = (filter: Filter, name: string): Saying[] => [
  ...['empty', 'is empty'].map((words) => ({ words: `${name} ${words}`, filter, value: '', type: 'empty' as const })),
  ...['not empty', 'is not empty'].map((words) => ({ words: `${name} ${words}`, filter, value: '', type: 'not_empty' as const })),
  ...[`missing ${name}`, `${name} missing`, `${name} is missing`].map((words) => ({
    words,
    filter,
    value: '',
    type: 'empty' as const,
  })),
  { words: name, filter, value: '', type: 'empty', excluded: true },
]

/**
 * Adds a setting: values of the same filter accumulate. Null for a value beside an excluded one, `sent but not overdue`: one setting
 * cannot say both.
 */
function adding(set: readonly FilterSetting[], { filter, value, type: condition }: Saying, not: boolean): FilterSetting[] | null {
  if (condition) return [...set.filter(({ id }) => id !== filter.id), { id: filter.id, type: condition, value }]
  if (filter.field.kind === 'text')
    return [...set.filter(({ id }) => id !== filter.id), { id: filter.id, type: filter.types[0], value }]
  const type = not && !isYesNo(filter) ? 'is_not' : 'is'
  const said = not && isYesNo(filter) ? 'NO' : value
  const before = set.find(({ id }) => id === filter.id)
  if (before && before.type !== type && /^is/.test(before.type)) return null
  const values = before?.type === type ? [...new Set([...before.value.split(','), said])] : [said]
  return [...set.filter((each) => each !== before), { id: filter.id, type, value: values.join(',') }]
}

/** Matches `biweekly` to `Bi-weekly`. */
const joined = (words: string): string => words.replaceAll(' ', '')

const joining = /^(or|and)$/
/** Text filters cannot be negated. */
const isAllowed = ({ filter, type, excluded = false }: Saying, not: boolean): boolean =>
  type ? excluded === not : !not || filter.field.kind !== 'text'

/** What precedes a word: a value or a text, possibly followed by `or`. */
type Before = 'nothing' | 'value' | 'text' | 'value or' | 'text or' | 'not' | 'not or'

/**
 * Parses words from the left, longest phrase first; a phrase of several filters is tried for each. Values of one filter add up
 * with or without a word between them; a value or a text cannot be combined with `or`.
 */
function readExactly(words: readonly string[], sayings: readonly Saying[], so: Meaning, before: Before = 'nothing'): Meaning[] {
  const [word] = words
  if (word === undefined) return [so]
  if ((before === 'value' || before === 'not') && joining.test(word) && words.length > 1)
    return readExactly(words.slice(1), sayings, so, word === 'or' ? `${before} or` : before)
  const isSaid = isExclusion(word) && words.length > 1
  // `not sent or closed` excludes both.
  const not = isSaid || before === 'not or'
  const from = isSaid ? words.slice(1) : words
  for (let length = from.length; length > 0; length--) {
    const said = from.slice(0, length).join('')
    const fitting = sayings.filter((saying) => joined(saying.words) === said && isAllowed(saying, not))
    if (fitting.length && before === 'text or') return []
    if (fitting.length) {
      const [best = [], ...others] = fitting.map((saying) => {
        const set = adding(so.set, saying, not)
        const next = { q: withoutAnd(so.q), set: set ?? [] }
        return set ? readExactly(from.slice(length), sayings, next, not ? 'not' : 'value').slice(0, maxMeanings) : []
      })
      // `active and not paused`: where no setting says both of the status, it does not fall to the status of the user.
      return best.length ? [best, ...others].flat() : []
    }
  }
  if (before === 'value or' || before === 'not or') return []
  return readExactly(words.slice(1), sayings, { ...so, q: `${so.q} ${word}`.trim() }, word === 'or' ? 'text or' : 'text')
}

const withoutAnd = (q: string): string => q.replace(/ and$/, '')

/** Completions of the last words, which may be incomplete: most words first. */
function completed(words: readonly string[], sayings: readonly Saying[], so: Meaning): Meaning[] {
  return words.flatMap((_, at) => {
    // `this week` is not a prefix of `weekly`.
    if (saysDateFirst.test(words[at - 1] ?? '')) return []
    const not = at > 0 && isExclusion(words[at - 1] as string)
    const typed = words.slice(at).join(' ')
    // A single letter matches too many values.
    if (typed.length < 2) return []
    const begins = (saying: Saying) =>
      joined(saying.words) !== joined(typed) &&
      (` ${saying.words}`.includes(` ${typed}`) || joined(saying.words).startsWith(joined(typed)))
    // `emp` is Employer rather than what is empty.
    const fitting = sayings.filter((saying) => !saying.type && isAllowed(saying, not) && begins(saying))
    if (!fitting.length) return []
    const ahead = words.slice(0, not ? at - 1 : at)
    // A conjunction between two values has no meaning by itself.
    const last = ahead.length > 1 && joining.test(ahead.at(-1) as string) ? ahead.length - 1 : ahead.length
    return readExactly(ahead.slice(0, last), sayings, so).flatMap((before) =>
      fitting
        // After search text, `dec` begins a phrase; it does not match a word within one.
        .filter((saying) => before.q === '' || (last === ahead.length && joined(saying.words).startsWith(joined(typed))))
        .flatMap((saying) => {
          const set = adding(before.set, saying, not)
          return set ? [{ ...before, set }] : []
        }),
    )
  })
}

/**
 * Drops the name of a filter before one of its values, `status is paid`, and restricts the phrases to that filter. A flag is
 * named alone: `onboarded no` is `not onboarded`.
 */
function withoutNames(
  words: readonly string[],
  sayings: readonly Saying[],
): [words: readonly string[], sayings: readonly Saying[]] {
  for (let at = 0; at < words.length; at++) {
    for (let end = Math.min(at + maxNameWords, words.length - 1); end > at; end--) {
      const name = words.slice(at, end).join(' ').replace(/:$/, '')
      const own = sayings.find(({ filter }) => filter.field.kind === 'choices' && namesOf(filter).includes(name))?.filter
      if (!own) continue
      const before = words.slice(0, at)
      const [first = '', ...more] = words.slice(/^(is|=)$/.test(words[end] as string) ? end + 1 : end)
      if (isYesNo(own) && /^(yes|no)$/.test(first))
        return withoutNames([...before, ...(first === 'no' ? ['not'] : []), ...name.split(' '), ...more], sayings)
      const value = [...(isExclusion(first) ? [] : [first]), ...more].join(' ')
      const isReading = (saying: Saying) =>
        joined(value).startsWith(joined(saying.words)) || ` ${saying.words}`.includes(` ${value}`)
      if (value && sayings.some((saying) => saying.filter === own && isReading(saying)))
        return withoutNames(
          [...before, first, ...more],
          sayings.filter((saying) => saying.filter === own || !isReading(saying)),
        )
    }
  }
  return [words, sayings]
}

/** Interpretations with values and search text, for words without comparisons. */
function readValues(rest: string, said: readonly Saying[], partial: Meaning, whole: Meaning, finished = false): Meaning[] {
  const typed = fold(rest)
    .split(/[\s,]+/)
    .filter(Boolean)
  if (typed.length > maxWords) return [whole]
  const [words, allowed] = withoutNames(typed, said)
  const all = readExactly(words, allowed, partial)
  // `added today`: beside words that are searched for, `Today` is a time and no value of a filter that is not named.
  const sayings = all[0]?.q && allowed === said ? said.filter((saying) => !saysDayAlone.test(saying.words)) : allowed
  // Read again only if there is such a word: this runs at every letter.
  const exact = sayings !== allowed && holdsDay.test(words.join('')) ? readExactly(words, sayings, partial) : all
  const half = finished ? [] : completed(words, sayings, partial)
  // A filter name may also occur in the text of a row.
  return exact[0]?.q === ''
    ? [...exact, ...half.slice(0, maxMeanings - 2), whole]
    : [...half, ...exact, ...(exact.length ? [] : [whole])]
}

/** Longer input is searched for as typed. */
const isLong = (text: string): boolean => text.split(/\s+/, maxTypedWords + 1).length > maxTypedWords

const saysDayAlone = /^(?:today|yesterday|tomorrow)$/
const holdsDay = /today|yesterday|tomorrow/
/** A time by itself; another word or a plain number, `may` or `15`, is search text. */
export const saysTime = /^(today|yesterday|tomorrow|[wmqy]td)$|\W|[a-z]\d/i
/** Names of months and days of the week, which count as times beside a list, and are also names of people. */
export const saysMonthOrDay =
  /^(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?|(mon|tues|wednes|thurs|fri|satur|sun)day)$/i
/** Month names that are neither names of people nor other words. */
export const saysOnlyMonth = /^(january|feb(ruary)?|july?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)$/i
/** Interpretations of a time for each date of the list, if the input does not name one. */
export function ofEachDate(typed: string, { filters, spanOf }: Pick<Filtered, 'filters' | 'spanOf'>): Meaning[] {
  const text = typed.trim()
  if (isLong(text)) return []
  return filters.flatMap((filter) => {
    const { set, rest } = dateIn(`${filter.title} ${text}`, { filters: [filter], spanOf })
    return set.length && rest === '' ? [{ set, q: '' }] : []
  })
}

/**
 * Whether a text alone is a time, which after `/` is offered for each date. A month needs its full name, since `nov` may begin
 * a person's name.
 */
export const isTimeAlone = (text: string): boolean =>
  saysTime.test(text.trim()) || (text.trim().length > 4 && saysOnlyMonth.test(text.trim()))

/**
 * Parses the input as filters of a list by value, best first: `paused raven`, `not paused`, `overdue > 500`, `due before nov
 * 30`, `pau`. Words that match no filter are searched for if the list is `searched`. Amounts are typed in dollars, settings are
 * in cents.
 */
export function readFilterWords(typed: string, list: Filtered): Meaning[] {
  const whole = { set: [], q: typed.trim() }
  const text = withPlainExclusions(withoutColons(whole.q))
  const sayings = [...sayingsOf(list.filters), ...(list.sayings ?? [])]
  const isSaid = (words: string) => sayings.some((saying) => saying.words === words)
  const dated = isLong(text) ? null : dateIn(text, list)
  const compared = dated && amountIn(dated.rest, list, isSaid)
  const named = compared && !/ empty$/i.test(text) ? textNamed(text, list.filters) : undefined
  const set = dated && compared ? [...dated.set, ...compared.set] : []
  const read = compared ? readValues(compared.rest, sayings, { set, q: '' }, whole, list.whole) : [whole]
  const good = [...(named && set.length === 0 ? [{ set: [named], q: '' }] : []), ...read]
    // Text without filters is searched for as typed.
    .map((each) => (each.set.length ? each : whole))
    .filter((each) => (each.set.length > 0 || each.q !== '') && (list.searched || each.q === ''))
  return [...new Map(good.map(({ set, q }) => [JSON.stringify([set, q]), { set, q }])).values()].slice(0, maxMeanings)
}
