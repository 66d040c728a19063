import { type Command, leadsToChange } from '#kernel/command.ts'
import type { CommandHost } from '#kernel/command-host.ts'
import type { Field } from '#kernel/form.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { findableCommand } from '#kernel/findable.ts'
import { fold } from '#kernel/fold.ts'
import { finder } from '#kernel/rank.ts'
import { allArguments, type FindRecord } from '#kernel/sentence/arguments.ts'
import type { Others } from '#kernel/sentence/others.ts'
import { saidBeside } from '#kernel/sentence/list-filters.ts'
import { excludes, isQuestion } from '#kernel/sentence/meaning-words.ts'
import { entityOf } from '#kernel/sentence/lists.ts'
import { commandNames } from '#kernel/sentence/names.ts'
import { parse } from '#kernel/sentence/parse.ts'
import { actionsIn, listsIn, type ParsedQuery, readTyped, type Vocabulary } from '#kernel/sentence/reading.ts'
import { readSentences } from '#kernel/sentence/sentence.ts'
import { readWhoMay } from '#kernel/sentence/who-may.ts'
import { joint, wordsIn } from '#kernel/sentence/words.ts'
import { dateOf, spanOf } from '#portal/format/date-words.ts'
import { commands, entities } from '#terminal/registry.ts'

// Sentences are read by the parser of the palette.

/** A command with its records and the words behind them. */
export interface ReadSentence {
  command: Command
  on: AnyEntity | undefined
  ids: readonly string[]
  /** As typed. */
  words: readonly string[]
}

/** The readings of a sentence: `pause 100467 fraud`. */
export const sentencesIn = (text: string): ReadSentence[] =>
  readSentences(text, commands, entities).flatMap(({ on, ids, words, commands: named }) =>
    named.map(({ command }) => ({
      ...{ command, on, ids },
      words: words.map((word) => `${word.name ? `${word.name}:` : ''}${word.quoted ? `"${word.text}"` : word.text}`),
    })),
  )

/** Words as one sentence: one that the shell kept together stays one value. */
export const asSentence = (words: readonly string[]): string =>
  words.length === 1
    ? (words[0] as string)
    : words.map((word) => (/[\s"]/.test(word) ? `"${word.replaceAll('"', '')}"` : word)).join(' ')

/** The values that words give to the fields of a form, and the words that none takes: several readings if a name is ambiguous. */
export const valuesIn = (
  words: readonly string[],
  fields: readonly Field[],
  today: string,
  { find, others }: { find: FindRecord; others: Others | null },
) => allArguments(wordsIn(words.join(' ')), fields, (text, past) => dateOf(text, today, past), find, others)

/** Whether a word stands between a record and another one, `to` in `link maria to acme`, and so ends no name. */
export const isJoint = (word: string): boolean => joint.test(word)

/** Whether a text names a command by its title, with or without the noun, or an alias: nothing is shown before it runs. */
function isNamedWhole(command: Command, text: string): boolean {
  const { title, short, called } = commandNames(commands).titled.find((each) => each.command === command) ?? {}
  const said = ` ${fold(text)} `
  return [title, short, ...(called?.keys() ?? [])].some((name) => name !== undefined && said.includes(` ${name}`))
}

/** Readings of a text that are looked at. */
const maxReadings = 6

/** What a text is read with on a day, by the lists of these nouns. Their columns are loaded for questions only. */
export const vocabularyOn = (today: string, nouns: readonly AnyEntity[] = entities): Vocabulary => ({
  commands,
  entities: nouns,
  find: finder(commands.map((command) => findableCommand(command.id, command.title, command, command.aliases ?? []))),
  used: () => 0,
  spanOf: (words, past) => spanOf(words, today, past),
  isSearched: () => true,
  facts: () => new Set(),
  origin: 'http://portal',
})

/** The readings of a text as in the palette, best first, by the lists of these nouns. */
function readingsOf(text: string, today: string, nouns: readonly AnyEntity[] = entities): ParsedQuery[] {
  const readingAt = parse(readTyped(text, entities, 'http://portal'), vocabularyOn(today, nouns))
  return [...Array(maxReadings).keys()].flatMap((place) => readingAt(place) ?? [])
}

/** The commands before or behind the name of a record, `sadia pause`, of the first reading that has some; null if none has. */
export function actionOnName(text: string, today: string): { commands: readonly Command[]; name: string } | null {
  for (const query of readingsOf(text, today)) {
    const named = actionsIn(query).filter(
      ({ command }) => isNamedWhole(command, text) && !(leadsToChange(command) && isQuestion(text)),
    )
    if (named.length) return { commands: [...new Set(named.map(({ command }) => command))], name: query.text }
  }
  return null
}

/** A command with the part of a list that it is done to. */
export interface ActionOnSet {
  command: Command
  entity: AnyEntity
  /** Address of the part, with filters and a search. */
  address: string
}

/** The lists of the staff who may do what a question asks, `who can approve write-offs`, with the words for their filter. */
export function staffWith(text: string, today: string): { entity: AnyEntity; words: string }[] {
  const asked = readWhoMay(readTyped(text, entities, 'http://portal'), vocabularyOn(today))
  return (asked ? listsIn(asked) : []).flatMap(({ command, q }) => {
    const entity = entityOf(command, entities)
    return entity ? [{ entity, words: q }] : []
  })
}

/** A list with the address of its filters and order, and how many of its first rows are asked for. */
interface SaidList extends Pick<ActionOnSet, 'entity' | 'address'> {
  count: number | undefined
}

/**
 * A list that a text names as in the palette: `oldest overdue`, `failed repayments yesterday`, `top 5 invoices`. Null if words are
 * left that would be searched for.
 */
export function listSaid(text: string, today: string, nouns: readonly AnyEntity[] = entities): SaidList | null {
  for (const query of readingsOf(text, today, nouns))
    for (const { command: list, q, every, order, verb } of listsIn(query)) {
      const entity = entityOf(list, nouns)
      const [said] = entity ? saidBeside(q, entity.filters, (words, past) => spanOf(words, today, past), every) : []
      if (verb || !entity || !('act' in list) || (said?.q ?? q)) continue
      const opened: string[] = []
      const sorted = order ? { sort: order.sort, order: order.order } : {}
      list.act({ open: (path: string) => void opened.push(path) } as CommandHost, undefined, {
        set: [],
        q: '',
        ...said,
        ...sorted,
      })
      if (opened[0]) return { entity, address: opened[0], count: order?.count ? Number(order.count) : undefined }
    }
  return null
}

/**
 * `approve write-offs under 50`, `pause all employees of birch`: a verb with a list that is named; null without one. Words that
 * are no filters are searched for.
 */
export function actionOnSet(text: string, today: string): ActionOnSet | null {
  const named = entities.filter(({ many }) => ` ${fold(text)} `.includes(` ${fold(many)} `))
  for (const query of named.length ? readingsOf(text, today, named) : [])
    for (const { verb, command: list, q, every } of listsIn(query)) {
      const entity = entities.find((each) => each === verb?.on)
      if (!verb || !entity || !('act' in list)) continue
      const [said] = saidBeside(q, entity.filters, (words, past) => spanOf(words, today, past), every)
      if (q && !said && (every || excludes(q))) continue
      const opened: string[] = []
      list.act({ open: (path: string) => void opened.push(path) } as CommandHost, undefined, said ?? { set: [], q })
      return { command: verb, entity, address: opened[0] ?? entity.path }
    }
  return null
}
