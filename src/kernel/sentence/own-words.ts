import type { Filter } from '#contract/filter.ts'
import type { Command } from '#kernel/command.ts'
import type { AnyEntity, Phrases } from '#kernel/entity.ts'
import { withDaysLate } from '#kernel/filter-comparisons.ts'
import { isYesNo } from '#kernel/filter-words.ts'
import { fold } from '#kernel/fold.ts'
import { commandNames, isName } from '#kernel/sentence/names.ts'

/** What a synonym stands for, in the words of titles and labels. */
interface Synonym {
  own: string
  /** The noun that it is a value of, null for the name of a noun or a command. */
  of: AnyEntity | null
  /** Whether it names a command, and so stands at one end of a text, beside other words. */
  isCommand: boolean
}

interface Vocabulary {
  synonyms: ReadonlyMap<string, readonly Synonym[]>
  /** `can … see` as `can` and `see`. */
  around: readonly { before: string; behind: string; own: string }[]
}

/** A value of a filter in words: `failed` of the status, `kyc under review` of another, `user-link no` of a flag. */
function valueWords({ id, title, field }: Filter, value: string): string {
  const words = value.startsWith('!') ? `not ${fold(value.slice(1))}` : fold(value)
  const name = isYesNo({ field }) ? fold(title).replaceAll(' ', '-') : id
  return id === 'status' ? words : `${name} ${words}`
}

function vocabularyOf(commands: readonly Command[]): Vocabulary {
  const synonyms = new Map<string, Synonym[]>()
  const around: { before: string; behind: string; own: string }[] = []
  const add = (phrases: Phrases, of: AnyEntity | null, isCommand = false) => {
    for (const [own, each] of Object.entries(phrases))
      for (const phrase of each) {
        const [words = '', behind] = fold(phrase).split(' … ')
        if (behind !== undefined) around.push({ before: words, behind, own })
        else synonyms.set(words, [...(synonyms.get(words) ?? []), { own, isCommand, of }])
      }
  }
  for (const entity of nounsOf(commands)) {
    for (const filter of entity.filters)
      for (const [value, words] of Object.entries(filter.synonyms ?? {})) add({ [valueWords(filter, value)]: words }, entity)
    add({ [entity.many]: entity.aliases ?? [], ...entity.phrases }, null)
  }
  for (const { sentence } of commands) add(sentence?.phrases ?? {}, null, true)
  return { synonyms, around }
}

const nouns = new WeakMap<readonly Command[], readonly AnyEntity[]>()

/** The nouns of commands. */
function nounsOf(commands: readonly Command[]): readonly AnyEntity[] {
  const before = nouns.get(commands)
  const found = before ?? [...new Set(commands.flatMap(({ on }) => on ?? []))]
  if (!before) nouns.set(commands, found)
  return found
}

const known = new WeakMap<readonly Command[], Vocabulary>()

/** Indexed once per list of commands. */
function vocabularyFor(commands: readonly Command[]): Vocabulary {
  const before = known.get(commands)
  const vocabulary = before ?? vocabularyOf(commands)
  if (!before) known.set(commands, vocabulary)
  return vocabulary
}

/** Maximum number of words of a synonym or a name. */
const maxWords = 6

/**
 * The text in the words of titles and labels, where nouns, values and commands have synonyms: `bounced payments` is `failed
 * repayments`. A synonym of a value counts beside its own noun, or without any. Null if there is no synonym.
 */
export function inOwnWords(text: string, commands: readonly Command[]): string | null {
  const { synonyms, around } = vocabularyFor(commands)
  const names = commandNames(commands)
  for (const { before, behind, own } of around) {
    const [, record, rest = ''] = new RegExp(`^${before} (.+?) ${behind} (.*)`, 'i').exec(`${text} `) ?? []
    if (record) return `${own} ${record} ${rest}`.trim()
  }
  const typed = withDaysLate(text).split(/\s+/)
  const plain = replaced(typed, names, (run) => {
    const synonym = synonyms.get(run)?.find(({ of, isCommand }) => !of && !isCommand)
    return synonym?.own ?? null
  })
  const said = ` ${fold(plain.join(' '))} `
  const named = nounsOf(commands).filter(({ one, many }) => [one, many].some((noun) => said.includes(` ${fold(noun)} `)))
  const own = replaced(plain, names, (run, { isFirst, isLast }) => {
    const nouns = named.filter(({ one, many }) => ![one, many].some((noun) => ` ${run} `.includes(` ${fold(noun)} `)))
    const isSaid = ({ of, isCommand }: Synonym) => (isCommand ? isFirst !== isLast : !of || !nouns.length || nouns.includes(of))
    return synonyms.get(run)?.find(isSaid)?.own ?? null
  }).join(' ')
  return own === text.split(/\s+/).join(' ') ? null : own
}

type Replace = (run: string, at: { isFirst: boolean; isLast: boolean }) => string | null

/** Replaces the longest runs of words from the left; a title or an alias of several words stays. */
function replaced(words: readonly string[], names: ReturnType<typeof commandNames>, replace: Replace): string[] {
  const result: string[] = []
  for (let at = 0; at < words.length; ) {
    let end = Math.min(words.length, at + maxWords)
    let own: string | null = null
    for (; end > at; end--) {
      const run = fold(words.slice(at, end).join(' ')).replaceAll('’', "'")
      own = replace(run, { isFirst: at === 0, isLast: end === words.length })
      if (own !== null || (end > at + 1 && isName(run, names))) break
    }
    end = Math.max(end, at + 1)
    result.push(...(own === null ? words.slice(at, end) : own.split(' ')))
    at = end
  }
  return result
}

/** The sentence of a request that no command fulfils: `void the invoice 40001`; null for any other text. */
export function whyNotHere(text: string, commands: readonly Command[]): string | null {
  const said = `${fold(text).replace(/(?<!\S)(?:an?|the) /g, '')} `
  let [sentence, length]: [string | null, number] = [null, 0]
  // `unlock admin` says more than `unlock`.
  for (const { instead = {} } of nounsOf(commands))
    for (const [why, requests] of Object.entries(instead))
      for (const request of requests)
        if (request.length > length && said.startsWith(`${fold(request)} `)) [sentence, length] = [why, request.length]
  return sentence
}
