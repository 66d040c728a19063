import { type Command, leadsToChange } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { saysMonthOrDay } from '#kernel/filter-words.ts'
import { fold } from '#kernel/fold.ts'
import { nearlyIn } from '#kernel/rank.ts'
import { isExclusion } from '#kernel/sentence/meaning-words.ts'
import type { ListReading, ParsedQuery, Vocabulary } from '#kernel/sentence/reading.ts'

/** Whether a text, folded and between spaces, names the list of a noun, also by an alias of it: `timekeeping`. */
const namesList = (text: string, { many, aliases = [] }: AnyEntity): boolean =>
  [many, ...aliases].some((name) => text.includes(` ${fold(name)} `))

/** The words with the name of a noun's list instead of an alias of it. */
const withListName = (words: readonly string[], { many, aliases = [] }: AnyEntity): string[] =>
  aliases
    .reduce((said, alias) => said.replace(RegExp(`(?<!\\S)${alias}(?!\\S)`, 'i'), many), words.join(' '))
    .split(/\s+/)
    .filter(Boolean)

/** The words with every noun in plural, the name of its list: `failed import` as `failed imports`. */
export const inPlural = (words: readonly string[], entities: readonly AnyEntity[]): string[] =>
  entities.reduce((said, { one, many }) => said.replace(RegExp(`(?<!\\S)${one}(?!\\S)`, 'i'), many), words.join(' ')).split(/\s+/)

/** The noun whose list a command shows. */
export const entityOf = (command: Command, entities: readonly AnyEntity[]): AnyEntity | undefined =>
  entities.find(({ list }) => 'reads' in command && command.reads === list)

/** Words that mean all records of a set, and are never a name. */
const allWord = /^(all|any|each|every|everyone|everybody|everything)$/i
/** Whether a word may be part of a name: not one for all records, nor one that excludes some, `but` as typed in a terminal. */
export const mayBeName = (word: string): boolean => !allWord.test(word) && !isExclusion(word) && word !== 'but'
/** Verbs that only ask for the list. */
const showVerb = /^(display|find|get|give|go|list|me|open|please|see|show|to|view)$/i
const joiner = /^(at|by|for|from|in|of|on|only|that|the|to|who|which|with|are|is)$/i
const timeWord = /\d|^(last|next|this|today|yesterday|tomorrow)$/i

/** The words without conjunctions and prepositions, except before a number or a period: `from nov 1`. */
const withoutJoiners = (words: readonly string[]): string[] =>
  words.filter((word, at) => !joiner.test(word) || timeWord.test(words[at + 1] ?? '') || saysMonthOrDay.test(words[at + 1] ?? ''))

/** Words for a set without a value for the form behind them, `to dec 15`, except of an amount: `50 to 100`, `up to 50`. */
function withoutFormValue(words: readonly string[]): [set: readonly string[], value: string] {
  const to = words.findIndex((word, at) => at > 0 && /^to$/i.test(word) && !/\d$|^up$/i.test(words[at - 1] ?? ''))
  return to === -1 ? [words, ''] : [words.slice(0, to), words.slice(to).join(' ')]
}

/**
 * `pause all employees of birch`, `close every overdue invoice`, `pause everyone at laurel`, `approve all`: lists of the records
 * that the command applies to, to mark them there. The verb and `all` are never searched for, so that no single record is found.
 * `commandsNamed` finds the commands that words name; words that name none are `unread`. Null without a word for all.
 */
export function readSet(
  typed: ParsedQuery,
  commandsNamed: (words: string) => readonly Command[],
  vocabulary: Vocabulary,
  weak: boolean,
): ParsedQuery | null {
  const { entities } = vocabulary
  const words = typed.text.split(/\s+/)
  const at = words.findIndex((word) => allWord.test(word))
  if (at < 1) return null
  const said = withoutJoiners(words.slice(0, at))
  const [ofSet, forForm] = withoutFormValue(words.slice(at + 1))
  const rest = inPlural(withoutJoiners(ofSet.map((word) => word.replace(/[:,]$/, ''))), entities).filter(Boolean)
  const named = entities.filter((entity) => namesList(` ${fold(rest.join(' '))} `, entity))
  const listsIn = (entity: AnyEntity) =>
    listsOf(
      named.length ? withListName(rest, entity) : [...entity.many.split(' '), ...rest],
      { ...vocabulary, entities: [entity] },
      true,
    )
  const of = ({ on }: Command) => entities.filter((each) => each === on && (!named.length || named.includes(each)))
  const verbs = commandsNamed(said.join(' ')).filter((command) => leadsToChange(command) && of(command).length > 0)
  // Of several verbs of one noun the shortest title wins: `pause` is Pause employee.
  const first = verbs.filter((verb, index) => verbs.findIndex(({ on }) => on === verb.on) === index)
  const lists = first.flatMap((verb) =>
    of(verb).flatMap((entity) => listsIn(entity).map((list) => ({ ...list, verb, ...(forForm ? { unread: forForm } : {}) }))),
  )
  const unread = said.filter((word) => !showVerb.test(word)).join(' ')
  const others = lists.length || !weak ? [] : named.flatMap((entity) => listsIn(entity).map((list) => ({ ...list, unread })))
  const text = (rest.length ? rest : (first[0]?.on?.many.split(' ') ?? [])).join(' ')
  const readings = [...lists, ...others]
  return readings.length ? { ...typed, text, said: text, readings } : null
}

/**
 * Lists after a verb of their noun: `approve write-offs under 50`, `refund overpaid laurel`. Null unless the words name a plural
 * that the command applies to, or one of its statuses.
 */
export function readVerb(typed: ParsedQuery, vocabulary: Vocabulary): ParsedQuery | null {
  const text = `${fold(typed.text)} `
  const named = vocabulary.entities.filter((entity) => namesList(text, entity))
  // `approve pending time entries` is about no write-offs, which can be approved and be pending as well.
  for (const entity of named.length ? named : vocabulary.entities) {
    const isNamed = text.includes(` ${fold(entity.many)} `)
    const verb = vocabulary.commands.find(
      (command) =>
        command.on === entity &&
        leadsToChange(command) &&
        text.startsWith(isNamed ? verbOf(command, entity) : firstWord(command)),
    )
    if (!verb) continue
    const behind = typed.text.slice((isNamed ? verbOf(verb, entity) : firstWord(verb)).length).split(/\s+/)
    const [ofSet, forForm] = isNamed ? withoutFormValue(behind) : [behind, '']
    const rest = withoutJoiners(ofSet)
    const lists = listsOf(rest, { ...vocabulary, entities: [entity] }, true)
    const said = rest.join(' ')
    const readings = lists
      .filter(({ every }) => isNamed || !every)
      .map((list) => ({ ...list, verb, ...(forForm ? { unread: forForm } : {}) }))
    if (readings.length) return { ...typed, text: said, said, readings }
  }
  return null
}

/** The verb of a command, `refund `. */
const firstWord = ({ title }: Command): string => `${fold(title).split(' ', 1)[0]} `

/** The title of a command up to its noun, `approve `, or all of it: `change due date `. */
const verbOf = ({ title }: Command, { one }: AnyEntity): string => {
  const at = fold(title).indexOf(` ${fold(one)}`)
  return `${at > 0 ? fold(title).slice(0, at) : fold(title)} `
}

/** The commands that show a list, all of it or one status. */
const showing = (commands: readonly Command[]): Command[] => commands.filter(({ id }) => id.startsWith('filter.show.'))
const isWhole = ({ id }: Command): boolean => id.endsWith('.all')

/** The commands that show all of a list. */
export const wholeLists = (commands: readonly Command[]): Command[] => showing(commands).filter(isWhole)

/** The commands that show one status of a list. */
export const ofStatus = (commands: readonly Command[]): Command[] => showing(commands).filter((command) => !isWhole(command))

/**
 * Lists named by words at either end, with the other words as search text: `zephyr write-offs`; with `weak`, also by a status,
 * `overdue laurel`, `laurel overdue invoices`, or by a word in the middle, or by filters alone.
 */
export function listsOf(
  words: readonly string[],
  { commands, entities, isSearched }: Vocabulary,
  weak: boolean,
  maxNameWords = words.length,
): ListReading[] {
  const known = showing(commands)
  const lists = entities.flatMap((entity) => {
    const ofList = isSearched(entity) ? known.filter((each) => 'reads' in each && each.reads === entity.list) : []
    return ofList.flatMap((command) => {
      const many = fold(entity.many)
      const title = fold(command.title)
      if (isWhole(command)) return [{ command, many, said: [title, many, ...(weak ? headsOf(entity, commands) : [])] }]
      const named = [title.slice(title.indexOf(' ') + 1), ...(command.aliases ?? [])]
      const said = [title, ...named].flatMap((words) =>
        words.endsWith(` ${many}`) ? [words, words.slice(0, -many.length - 1)] : words,
      )
      return weak ? [{ command, many, said }] : []
    })
  })
  const splits = [...Array(maxNameWords).keys()].map((at) => at + 1)
  const shown = splits.flatMap((at) => {
    const [before, behind] = [words.slice(0, at).join(' '), words.slice(at).join(' ')]
    return lists.flatMap(({ command, many, said }) =>
      [...(said.includes(fold(before)) ? [behind] : []), ...(said.includes(fold(behind)) ? [before] : [])].map(
        (q): ListReading => ({ kind: 'list', command, q: without(q, many) }),
      ),
    )
  })
  // `invocies overdue`: the noun with a typing error is not a name, and the match accounts for the whole text.
  if (shown.some(({ command, q }) => isMistyped(q, lists.find((list) => list.command === command)?.many ?? ''))) return []
  // `failed repayments laurel` matches no other list, and `overdue invoices laurel` searches only for the words that no list
  // covers. `not` beside `paid` is no search: the list of what is paid would say the opposite.
  const own = shown.filter(
    ({ q }) =>
      !isExclusion(q.split(' ').at(-1) ?? '') &&
      !/^(?:and|or) | (?:and|or)$/i.test(q) &&
      !lists.some(({ many }) => ` ${fold(q)} `.includes(` ${many} `)),
  )
  const fewestWords = Math.min(...own.map(({ q }) => q.length))
  const named = own.filter(
    ({ command, q }, at) => q.length === fewestWords && at === own.findIndex((each) => each.command === command && each.q === q),
  )
  if (named.length || !weak) return named
  const first = words.findIndex((word) => !showVerb.test(word))
  const text = ` ${inPlural(withoutJoiners(words.slice(Math.max(first, 0))), entities).join(' ')} `
  const whole = lists.filter(({ command }) => isWhole(command))
  // `failed repayments last week` names its list in the middle.
  const inside = whole.filter(({ many }) => fold(text).includes(` ${many} `))
  return (inside.length ? inside : whole).map(({ command, many }) => ({
    kind: 'list',
    command,
    q: text.replace(new RegExp(` ${inWords(many)} `, 'i'), ' ').trim(),
    every: inside.length ? 'some' : 'word',
  }))
}

/** The titles of a list in navigation, `audit`. */
const headsOf = ({ list }: AnyEntity, commands: readonly Command[]): string[] =>
  commands
    .filter((command) => /^open\.[^.]+$/.test(command.id) && 'reads' in command && command.reads.path === list.path)
    .map(({ title }) => fold(title.replace(/^Open /, '')))

/** Whether a text is the noun with one wrong letter. */
const isMistyped = (text: string, many: string): boolean =>
  text !== '' && Math.abs(text.length - many.length) <= 1 && nearlyIn(many, fold(text))

/** The text without words at its start or end that name the list, `laurel employees` after `paused`, or a leading `of`. */
const without = (text: string, many: string): string =>
  fold(text) === many ? '' : text.replace(new RegExp(`^(${inWords(many)}|of)\\s|\\s${inWords(many)}$`, 'i'), '')

/** A folded noun as a pattern, in which a hyphen may replace a space: `write offs`. */
const inWords = (many: string): string => many.replaceAll(' ', '[ -]')
