import type { Filter, FilterSetting } from '#contract/filter.ts'
import { amountIn, type Comparable, dateIn, maxNameWords, namesOf, saysDateFirst, textNamed } from '#kernel/filter-comparisons.ts'
import { fold } from '#kernel/fold.ts'

/** What words may mean for a list: filters to set, and what is searched for besides. */
export interface Meaning {
  set: readonly FilterSetting[]
  q: string
}

/** A value of a filter, as it is said: `paused`, `flagged debtor`. */
export interface Saying {
  /** Folded. */
  words: string
  filter: Filter
  value: string
}

/** The list that is filtered. */
export interface Filtered extends Comparable {
  /** Whether it can be searched by text. */
  searched: boolean
  /** What else can be said of its filters than their own values. */
  sayings?: readonly Saying[]
  /** True where the last word is whole: what it could become is not meant. */
  whole?: true
}

/** So many meanings are offered at most. */
const maxMeanings = 8
/** More words than these are a text to search for: each may be read in several ways. */
const maxWords = 8
/** The same for all that was typed, of which what is compared is some. */
const maxTypedWords = 3 * maxWords

const isYesNo = ({ field }: Filter): boolean => field.options?.map(({ value }) => value).join() === 'YES,NO'

/**
 * Everything that can be said of filters by value: its word, and its name in the specification. What is so or not is said by
 * the filter's name.
 */
function sayingsOf(filters: readonly Filter[]): Saying[] {
  return filters.flatMap((filter): Saying[] => {
    if (filter.field.kind !== 'choices') return []
    if (isYesNo(filter)) return namesOf(filter).map((words) => ({ words, filter, value: 'YES' }))
    return (filter.field.options ?? []).flatMap(({ value, label }) =>
      [...new Set([fold(label), fold(value)])].map((words) => ({ words, filter, value })),
    )
  })
}

/** One more setting: values of one filter add up, a setting of another kind takes its place. */
function adding(set: readonly FilterSetting[], { filter, value }: Saying, not: boolean): FilterSetting[] {
  if (filter.field.kind === 'text')
    return [...set.filter(({ id }) => id !== filter.id), { id: filter.id, type: filter.types[0], value }]
  const type = not && !isYesNo(filter) ? 'is_not' : 'is'
  const said = not && isYesNo(filter) ? 'NO' : value
  const before = set.find(({ id }) => id === filter.id)
  const values = before?.type === type ? [...new Set([...before.value.split(','), said])] : [said]
  return [...set.filter((each) => each !== before), { id: filter.id, type, value: values.join(',') }]
}

/** `biweekly` is `Bi-weekly`, too. */
const joined = (words: string): string => words.replaceAll(' ', '')

const joining = /^(or|and)$/
const negation = /^(not|no|without|!)$/
/** A text is not excluded by any filter. */
const canBe = ({ filter }: Saying, not: boolean): boolean => !not || filter.field.kind !== 'text'

/** What stood before a word: a value or a text, and `or` behind it. */
type Before = 'nothing' | 'value' | 'text' | 'value or' | 'text or'

/**
 * Reads words from the left, the longest saying first; one that several filters have is read for each. Values of one filter add
 * up with a word between them, or without one; a value or a text is what no list can show.
 */
function readExactly(words: readonly string[], sayings: readonly Saying[], so: Meaning, before: Before = 'nothing'): Meaning[] {
  const [word] = words
  if (word === undefined) return [so]
  if (before === 'value' && joining.test(word) && words.length > 1)
    return readExactly(words.slice(1), sayings, so, word === 'or' ? 'value or' : before)
  const not = negation.test(word) && words.length > 1
  const from = not ? words.slice(1) : words
  for (let length = from.length; length > 0; length--) {
    const said = from.slice(0, length).join('')
    const fitting = sayings.filter((saying) => joined(saying.words) === said && canBe(saying, not))
    if (fitting.length && before === 'text or') return []
    if (fitting.length)
      return fitting.flatMap((saying) =>
        readExactly(from.slice(length), sayings, { q: withoutAnd(so.q), set: adding(so.set, saying, not) }, 'value').slice(
          0,
          maxMeanings,
        ),
      )
  }
  if (before === 'value or') return []
  return readExactly(words.slice(1), sayings, { ...so, q: `${so.q} ${word}`.trim() }, word === 'or' ? 'text or' : 'text')
}

const withoutAnd = (q: string): string => q.replace(/ and$/, '')

/** What the last words, which may be half typed, could become: the most words first. */
function completed(words: readonly string[], sayings: readonly Saying[], so: Meaning): Meaning[] {
  return words.flatMap((_, at) => {
    // `this week` is no beginning of `weekly`.
    if (saysDateFirst.test(words[at - 1] ?? '')) return []
    const not = at > 0 && negation.test(words[at - 1] as string)
    const typed = words.slice(at).join(' ')
    // One letter begins too much to be a value.
    if (typed.length < 2) return []
    const begins = (saying: Saying) =>
      joined(saying.words) !== joined(typed) &&
      (` ${saying.words}`.includes(` ${typed}`) || joined(saying.words).startsWith(joined(typed)))
    const fitting = sayings.filter((saying) => canBe(saying, not) && begins(saying))
    if (!fitting.length) return []
    const ahead = words.slice(0, not ? at - 1 : at)
    // A word between two values says nothing by itself.
    const last = ahead.length > 1 && joining.test(ahead.at(-1) as string) ? ahead.length - 1 : ahead.length
    return readExactly(ahead.slice(0, last), sayings, so).flatMap((before) =>
      fitting
        // Behind words that are searched for, `dec` begins a saying; it is no word within one.
        .filter((saying) => before.q === '' || (last === ahead.length && joined(saying.words).startsWith(joined(typed))))
        .map((saying) => ({ ...before, set: adding(before.set, saying, not) })),
    )
  })
}

/**
 * Words without the name of a filter before one of its values, `status is paid`, and what can be said then: what the value is of
 * other filters is not meant. What is so or not has its name alone: `onboarded no` is `not onboarded`.
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
      const value = [...(negation.test(first) ? [] : [first]), ...more].join(' ')
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

/** Meanings with values and the search, of words without what is compared. */
function readValues(rest: string, said: readonly Saying[], partial: Meaning, whole: Meaning, finished = false): Meaning[] {
  const typed = fold(rest)
    .split(/[\s,]+/)
    .filter(Boolean)
  if (typed.length > maxWords) return [whole]
  const [words, sayings] = withoutNames(typed, said)
  const exact = readExactly(words, sayings, partial)
  const half = finished ? [] : completed(words, sayings, partial)
  // What names a filter may stand in a row as well.
  return exact[0]?.q === ''
    ? [...exact, ...half.slice(0, maxMeanings - 2), whole]
    : [...half, ...exact, ...(exact.length ? [] : [whole])]
}

/** What is longer is searched for as it stands. */
const isLong = (text: string): boolean => text.split(/\s+/, maxTypedWords + 1).length > maxTypedWords

/** A time by itself: another word or a number alone, `may` or `15`, is searched for. */
export const saysTime = /^(today|yesterday|tomorrow)$|\W|[a-z]\d/i
/** The name of a month, which is a time where it stands beside a list. */
export const saysMonth =
  /^(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)$/i
/** The same of a month that nobody is called by, and that is no other word. */
export const saysOnlyMonth = /^(january|feb(ruary)?|july?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)$/i
/** What a text means of each date that there is, where it is a time: the one that is meant is not said. */
export function ofEachDate(typed: string, { filters, spanOf }: Pick<Filtered, 'filters' | 'spanOf'>): Meaning[] {
  const text = typed.trim()
  if (isLong(text)) return []
  return filters.flatMap((filter) => {
    const { set, rest } = dateIn(`${filter.title} ${text}`, { filters: [filter], spanOf })
    return set.length && rest === '' ? [{ set, q: '' }] : []
  })
}

/** Whether a text alone is a time, which after `/` is offered of each date: of a month its whole name, since `nov` begins somebody's. */
export const isTimeAlone = (text: string): boolean =>
  saysTime.test(text.trim()) || (text.trim().length > 4 && saysOnlyMonth.test(text.trim()))

/**
 * What was typed as filters of a list by value, best first: `paused raven`, `not paused`, `overdue > 500`, `due before nov 30`,
 * `pau`. What no filter says is searched for, where the list is `searched`. Amounts are dollars as people write them, settings
 * have cents.
 */
export function readFilterWords(typed: string, list: Filtered): Meaning[] {
  const text = typed.trim()
  const whole = { set: [], q: text }
  const sayings = [...sayingsOf(list.filters), ...(list.sayings ?? [])]
  const isSaid = (words: string) => sayings.some((saying) => saying.words === words)
  const dated = isLong(text) ? null : dateIn(text, list)
  const compared = dated && amountIn(dated.rest, list, isSaid)
  const named = compared && textNamed(text, list.filters)
  const set = dated && compared ? [...dated.set, ...compared.set] : []
  const read = compared ? readValues(compared.rest, sayings, { set, q: '' }, whole, list.whole) : [whole]
  const good = [...(named && set.length === 0 ? [{ set: [named], q: '' }] : []), ...read]
    // A text alone is searched for as it was typed.
    .map((each) => (each.set.length ? each : whole))
    .filter((each) => (each.set.length > 0 || each.q !== '') && (list.searched || each.q === ''))
  return [...new Map(good.map(({ set, q }) => [JSON.stringify([set, q]), { set, q }])).values()].slice(0, maxMeanings)
}
