import type { Filter } from '#contract/filter.ts'
import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { fold } from '#kernel/fold.ts'
import { isOneError } from '#kernel/rank.ts'

/** Words of periods and comparisons, which no declaration has. */
const commonWords =
  'after before between over since than under until with without today tomorrow yesterday last next week month quarter year ' +
  'january february march april june july august september october november december ' +
  'monday tuesday wednesday thursday friday saturday sunday largest smallest newest oldest missing everyone rest'

/** Minimum number of letters of a word that is corrected: shorter ones resemble too many others. */
const minLetters = 4
/** Minimum number of letters of a word in which a wrong letter is corrected. */
const minForWrongLetter = 6
/** A word of enough letters, possibly with hyphens. */
const isWord = /^\p{L}[\p{L}-]{3,}$/u
/** Maximum number of corrections of a text. */
const maxCorrections = 3
/** Maximum number of words of a text that is corrected: a longer one was pasted. */
const maxWords = 16

const wordsOfFilter = ({ title, synonyms = {}, field }: Filter): string[] => [
  title,
  ...Object.values(synonyms).flat(),
  ...(field.options ?? []).flatMap(({ label, value }) => [label, String(value)]),
]

const known = new WeakMap<readonly Command[], ReadonlySet<string>>()

/** The words of sentences, folded: those of commands, nouns and filters, and those of periods and comparisons. */
function wordsOfSentences(commands: readonly Command[], entities: readonly AnyEntity[]): ReadonlySet<string> {
  const before = known.get(commands)
  if (before) return before
  const texts = [
    commonWords,
    ...commands.flatMap(({ title, aliases = [] }) => [title, ...aliases]),
    ...entities.flatMap(({ one, many, aliases = [], filters }) => [one, many, ...aliases, ...filters.flatMap(wordsOfFilter)]),
  ]
  // `write-offs` is one word, and two.
  const spelled = texts.flatMap((text) => [...fold(text).split(' '), ...text.toLowerCase().split(/[^\p{L}-]+/u)])
  const words = new Set(spelled.filter((word) => word.length >= minLetters))
  known.set(commands, words)
  return words
}

/** A text with its typing errors corrected: the words that were changed, as typed and corrected. */
export interface Respelled {
  text: string
  typed: readonly string[]
  corrected: readonly string[]
}

/**
 * The text with its typing errors corrected, as in `puase 100467 fraud`: each word that is none of a sentence's, and differs from
 * one by a letter or by two swapped ones. Several texts if a word may be several; none if there is nothing to correct. A word in
 * quotes, a value with its name, and a number stay as they are. Whether the result says anything is for the caller to check.
 */
export function respelled(said: string, commands: readonly Command[], entities: readonly AnyEntity[]): Respelled[] {
  const words = wordsOfSentences(commands, entities)
  const parts = said.split(/("[^"]*"|\s+)/)
  let texts: Respelled[] = [{ text: '', typed: [], corrected: [] }]
  for (const part of parts.length < 2 * maxWords ? parts : []) {
    const near = isWord.test(part) ? nearest(part.toLowerCase(), words) : []
    texts = texts
      .flatMap(({ text, typed, corrected }) =>
        near.length
          ? near.map((word) => ({ text: text + word, typed: [...typed, part], corrected: [...corrected, word] }))
          : [{ text: text + part, typed, corrected }],
      )
      .slice(0, maxCorrections)
  }
  return texts.filter(({ typed }) => typed.length > 0)
}

/** The known words that a word most likely is, with its typing error; none if it is one of them. */
function nearest(typed: string, words: ReadonlySet<string>): string[] {
  if (words.has(fold(typed)) || words.has(typed)) return []
  const near = [...words].flatMap((word) => {
    const by = isOneError(word, typed) && !isInflected(word, typed) ? errorIn(word, typed) : null
    return by === null ? [] : [{ word, by }]
  })
  const least = Math.min(...near.map(({ by }) => by))
  return near.filter(({ by }) => by === least).map(({ word }) => word)
}

/** Whether two words are forms of the same one, `hire` and `hired`, of which neither is an error. */
function isInflected(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return long.startsWith(short) && /^[ds]$/.test(long.slice(short.length))
}

/**
 * How unlikely an error is: two swapped letters or a doubled one, another letter too few or too many, a wrong letter, the first
 * one. Null for a short word that would be another one with any letter: `maia`, `park`.
 */
function errorIn(word: string, typed: string): number | null {
  const holds = (text: string) => (letter: string) => text.includes(letter)
  if ([...word].every(holds(typed)) && [...typed].every(holds(word)) && word[0] === typed[0]) return 0
  if (word.length !== typed.length) return typed.length > minLetters ? 1 : null
  if (typed.length < minForWrongLetter) return null
  return word[0] === typed[0] ? 2 : 3
}
