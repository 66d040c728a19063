import type { Filter, FilterSetting } from '#contract/filter.ts'
import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { fold } from '#kernel/fold.ts'
import { spacedIds } from '#kernel/pasted-ids.ts'
import type { Filtered } from '#kernel/filter-words.ts'
import type { Finder } from '#kernel/rank.ts'
import { withNounInFront, withoutEndMarks, withoutPoliteness, withPlainExclusions } from '#kernel/sentence/meaning-words.ts'
import type { Sentence } from '#kernel/sentence/sentence.ts'

/** Search mode: everything, or as selected by the first character. */
export type Mode = 'all' | 'commands' | 'ids' | 'people' | 'filters' | 'help'

/** The characters that select a mode, with their titles for the help. */
export const modes: readonly { char: string; mode: Mode; title: string }[] = [
  { char: '>', mode: 'commands', title: 'Only commands' },
  { char: '#', mode: 'ids', title: 'Only ids' },
  { char: '@', mode: 'people', title: 'Only people' },
  { char: '/', mode: 'filters', title: 'Filters of the open list' },
  { char: '?', mode: 'help', title: 'Keys' },
]

/** What a text is read with. */
export interface Vocabulary {
  commands: readonly Command[]
  /** The nouns that the person may search. */
  entities: readonly AnyEntity[]
  find: Finder<Command>
  used: (key: string) => number
  /** The period that words name. */
  spanOf: Filtered['spanOf']
  /** Whether a list can be searched by text. */
  isSearched: (entity: AnyEntity) => boolean
  /** The names, folded, of the values that a record of a noun has: `hire date`. */
  facts: (entity: AnyEntity) => ReadonlySet<string>
  /** Origin of the portal, whose links are ids. */
  origin: string
}

/** A text with what it may say. The searched part is looked for among the records of the nouns in `only`. */
export interface ParsedQuery {
  mode: Mode
  /** As typed, without the mode character; quoted in messages. */
  said: string
  /** The part that is searched for. */
  text: string
  /** The query for the API in place of the text: `INV-61` may be the start of a longer number. */
  asked?: string
  /** Records that the text may be the id of. */
  ids: readonly NamedRecord[]
  /** The nouns that can match, if a link or a noun's name narrows them; null for all. */
  only: readonly string[] | null
  /** None if it is only a search. */
  readings: readonly Reading[]
}

export type Reading = ActionReading | SentenceReading | ListReading | RecordReading | FactReading

/** How a command was named: `first` ranks before any record that is found, `inside` is a match not at the start of its title. */
export type NamedBy = 'first' | 'whole' | 'start' | 'alias' | 'inside'

/** A command before or behind the name of a record: for each record that is found. */
export interface ActionReading {
  kind: 'action'
  command: Command
  /** The alias that was typed, null if its title was. */
  by: string | null
  named: NamedBy
  /** Only for the record whose id was typed, `write off INV-40001`, besides records of the noun with that name. */
  byId?: true
  /** The words behind the name, of which only a command that takes one makes something. */
  left?: string
  /** The period for the list that it shows. */
  during?: { set: readonly FilterSetting[]; filters: readonly Filter[] }
}

/** A command with its records and the words for its form. */
export interface SentenceReading extends Sentence {
  kind: 'sentence'
  /** The records that it is about: those with its ids, those found by the text, or the selection. */
  about: 'ids' | 'name' | 'selection'
  /** Whether nothing else was found for the text: words behind a command may be somebody's name. */
  alone: boolean
}

/** A list with a text to search or filters in words. */
export interface ListReading {
  kind: 'list'
  /** The command that shows it, all of it or one status. */
  command: Command
  q: string
  /** Filters must account for every word if no word names the list, and for some of them if one in the middle does. */
  every?: 'word' | 'some'
  /** The command whose verb was typed before the list, to be run on rows marked there. */
  verb?: Command
  /** Words before `all` that name no command. */
  unread?: string
  /** The requested order, with its wording, and how many of its first rows are asked for. */
  order?: { sort: string; order: 'asc' | 'desc'; words: string; count?: string }
}

/** Nothing but records: `open sadia`. */
interface RecordReading {
  kind: 'record'
}

/** A value of the records that are found: `hire date of sadia`. */
interface FactReading {
  kind: 'fact'
  /** Folded. */
  name: string
}

/** The name of the value that a text asks for; null if it asks for none. */
export const factIn = ({ readings }: ParsedQuery): string | null => readings.find((each) => each.kind === 'fact')?.name ?? null
/** The commands before or behind the name of a record. */
export const actionsIn = ({ readings }: ParsedQuery): ActionReading[] =>
  readings.filter((each) => each.kind === 'action').filter(({ byId }) => !byId)
/** The commands for the record whose id was typed. */
export const byIdIn = ({ readings }: ParsedQuery): ActionReading[] =>
  readings.filter((each) => each.kind === 'action').filter(({ byId }) => byId)
/** The lists that a text names. */
export const listsIn = ({ readings }: ParsedQuery): ListReading[] => readings.filter((each) => each.kind === 'list')
/** The commands with words for their forms. */
export const sentencesIn = ({ readings }: ParsedQuery): SentenceReading[] => readings.filter((each) => each.kind === 'sentence')

/** The commands that the text names for the records that it names. */
export const commandsOn = (typed: ParsedQuery): Command[] => [
  ...actionsIn(typed).map(({ command }) => command),
  ...sentencesIn(typed).flatMap(({ about, commands }) => (about === 'selection' ? [] : commands.map(({ command }) => command))),
]

/** Whether the text names a record to open or to act on. */
export const isOnRecord = (typed: ParsedQuery): boolean =>
  typed.readings.some(({ kind }) => kind === 'record' || kind === 'fact') || commandsOn(typed).length > 0

/** Parses the text of the field: mode, text, and possible ids. A link of this portal counts as an id. */
export function readTyped(typed: string, entities: readonly AnyEntity[], origin: string): ParsedQuery {
  const query = readReference(typed, entities, origin)
  return { ...query, said: query.said ?? query.text, readings: [] }
}

type Reference = Omit<ParsedQuery, 'said' | 'readings'> & { said?: string }

function readReference(typed: string, entities: readonly AnyEntity[], origin: string): Reference {
  const trimmed = withPlainIds(typed.trim())
  const linked = entityOfLink(trimmed, entities, origin)
  if (linked) return { mode: 'all', text: linked.id, ids: [linked], only: [linked.entity.name] }
  const named = entityOfWords(trimmed, entities)
  if (named) {
    const asked = named.entity.ids.write(named.id)
    const more = asked === named.id ? {} : { asked }
    return { mode: 'all', text: named.id, ids: [named], only: [named.entity.name], ...more }
  }
  const chosen = modes.find((each) => typed.startsWith(each.char))
  const mode = chosen?.mode ?? 'all'
  const rest = chosen ? typed.slice(1).trim() : withNounInFront(withoutPoliteness(trimmed))
  const plain = mode === 'all' || mode === 'filters' ? withPlainExclusions(mode === 'all' ? withoutEndMarks(rest) : rest) : rest
  const text = mode === 'filters' ? plain : (address.exec(plain)?.[1] ?? withFirstName(plainAmount(plain), entities))
  const short = mode === 'all' || mode === 'ids' ? idsOfShort(text, entities) : []
  if (short.length > 0) return { mode: 'ids', text: (short[0] as NamedRecord).id, ids: short, only: null }
  const ids =
    (mode === 'all' || mode === 'ids' || mode === 'people') && !isAmount(rest)
      ? entities.flatMap((entity) => {
          const id = entity.ids.readAlone(text)
          return id === null ? [] : [{ entity, id }]
        })
      : []
  return { mode, text, ids, only: null, ...(text === rest ? {} : { said: rest }) }
}

/** The text without what people write before the number of a record within it: `employee no. 100467`, `invoice #40058`. */
const withPlainIds = (text: string): string => text.replace(/(?<=\S )(?:(?:id|no\.):? ?#?|#)(?=\d{5,15}(?!\S))/gi, '')

/** Words before an id, a number or an e-mail address that is read aloud: `employee id 100171`, `phone 0163`. */
const kindWords =
  /^(?:call|caller|cell|e-?mail|id|mobile|no\.?|number|phone|tel)(?: (?:address|id|no\.?|number))?:? (?=\(?\+?\S*[\d@])/i
/** The text without words for the kind of value; null if there are none. */
export function withoutKind(text: string, entities: readonly AnyEntity[]): string | null {
  const [first = ''] = text.split(' ', 1)
  const noun = entities.some(({ one }) => fold(one) === fold(first)) ? `${first} ` : ''
  const value = text.slice(noun.length)
  return kindWords.test(value) ? noun + value.replace(kindWords, '') : null
}
/** The text after `/` if no list is open: it then applies to any list; a link of the portal is unchanged. */
export const ofAnyList = (typed: string): string => typed.replace(/^\/(?=.*\S)(?!\S+\/)/, '')

/** `Ann Lee <ann@example.com>`, as copied from a mail client. */
const address = /^[^<>]*<([^<>\s]+@[^<>\s]+)>$/

/** The comma of `Barnes, Sadia`, which no name contains. */
const lastNameFirst = /^([\p{L}'’ -]+), *(?=\p{L}[\p{L}'’ .-]*$)/u
/** A last and a first name without the comma between them; `employees of birch, acme` are those of two companies. */
function withFirstName(text: string, entities: readonly AnyEntity[]): string {
  const [, last = ''] = lastNameFirst.exec(text) ?? []
  const isList = last !== '' && entities.some(({ many }) => ` ${fold(last)} `.includes(` ${fold(many)} `))
  return isList ? text : text.replace(lastNameFirst, '$1 ')
}

const anyAmount = /^\$?\s?(\d+|\d{1,3}(,\d{3})+)(\.\d{1,2})?$/

/** `$1,628.29` as `1628.29`, the format of bank statement texts; any other text unchanged. */
const plainAmount = (text: string): string => (anyAmount.test(text) ? text.replace(/[$,\s]/g, '') : text)

/** Whether a text is formatted as an amount, `$50`, `8,685` or `86.85`, and so is no id. */
export const isAmount = (text: string): boolean => anyAmount.test(text) && /^\$|,|\.\d\d$/.test(text)

/** Whether a text is an amount with its dollar sign, which is no part of a record's numbers: `$60.00`. */
export const isInDollars = (text: string): boolean => text.startsWith('$') && isAmount(text)

/** Whether a pasted text has several ids, as a column of a spreadsheet does, or one line. */
export const holdsIds = (pasted: string): boolean =>
  spacedIds.test(pasted) ||
  pasted.split(/[\n\r\t,;]+/).filter((part) => /^\s*["']?([a-z]{2,5}-)?\d{3,15}["']?\s*$/i.test(part)).length > 1

export interface NamedRecord {
  entity: AnyEntity
  id: string
}

/** `/employees/104234`, or its full URL on this portal; on another portal the id belongs to another person. */
function entityOfLink(text: string, entities: readonly AnyEntity[], origin: string): NamedRecord | null {
  if (!/^(https?:\/\/|\/)\S+$/i.test(text)) return null
  const url = URL.parse(text, origin)
  if (!url || url.origin !== origin) return null
  for (const entity of entities) {
    if (!url.pathname.startsWith(`${entity.path}/`)) continue
    const id = entity.ids.read(decoded(url.pathname.slice(entity.path.length + 1).replace(/\/$/, '')))
    if (id !== null) return { entity, id }
  }
  return null
}

/** `employee 104234`, `INV-40001`, `inv 40001`. */
function entityOfWords(text: string, entities: readonly AnyEntity[]): NamedRecord | null {
  const lower = text.toLowerCase()
  for (const entity of entities) {
    const named = lower.startsWith(`${entity.one} `)
    const lettered = entity.ids.isSpoken && /^[a-z]/.test(lower)
    const id = named ? entity.ids.read(text.slice(entity.one.length + 1).trim()) : lettered ? entity.ids.readAlone(text) : null
    if (id !== null) return { entity, id }
  }
  return null
}

/** `emp 104234`: an id after a prefix of its noun, at least three letters, which several nouns may share. */
function idsOfShort(text: string, entities: readonly AnyEntity[]): NamedRecord[] {
  const [, noun = '', number = ''] = /^([a-z]{3,})\.? #?(\d+)$/i.exec(text) ?? []
  return (noun ? entities : [])
    .filter(({ one }) => one.toLowerCase().startsWith(noun.toLowerCase()))
    .flatMap((entity) => {
      const id = entity.ids.readAlone(number)
      return id === null ? [] : [{ entity, id }]
    })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
