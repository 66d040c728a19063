import type { FilterSetting } from '#contract/filter.ts'
import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { spacedIds } from '#kernel/pasted-ids.ts'

/** What is looked for: everything, or what the first character says. */
export type Mode = 'all' | 'commands' | 'ids' | 'people' | 'filters' | 'help'

/** The first characters that choose a mode, with their words for the help. */
export const modes: readonly { char: string; mode: Mode; title: string }[] = [
  { char: '>', mode: 'commands', title: 'Only commands' },
  { char: '#', mode: 'ids', title: 'Only ids' },
  { char: '@', mode: 'people', title: 'Only people' },
  { char: '/', mode: 'filters', title: 'Filters of the open list' },
  { char: '?', mode: 'help', title: 'Keys' },
]

export interface ParsedQuery {
  mode: Mode
  /** What is searched, without the mode's character. */
  text: string
  /** What the API is asked for instead of the text: `INV-61`, whose number may be longer than what was typed of it. */
  asked?: string
  /** Things that it may be the id of. */
  ids: readonly { entity: AnyEntity; id: string }[]
  /** The nouns that can match, if a link or a noun's name narrows them; null for all. */
  only: readonly string[] | null
  /** Commands whose words stand before those of a thing, or behind them (`readCommand`). */
  does?: readonly CommandMatch[]
  behind?: boolean
  /** Beside a noun: commands whose titles name it, done to what has the id behind it: `write off INV-40001`. */
  also?: readonly CommandMatch[]
  /** Lists of one status whose words stand before or behind those of something in them. */
  shows?: readonly ListMatch[]
  /** All that was typed, where only a part of it is searched. */
  whole?: string
  /** The period for the lists that the commands of `does` show, with its wording. */
  during?: { set: readonly FilterSetting[]; words: string }
}

/**
 * A command that matches; `by` is the alias that was typed, null if its title was; `whole` if all of the alias was typed,
 * `inside` if the match is not at its start, `first` if it ranks before any record that is found.
 */
export interface CommandMatch {
  command: Command
  by: string | null
  whole?: boolean
  inside?: boolean
  first?: boolean
}

/** A command that shows a list of one status, and what to search it for. */
export interface ListMatch {
  command: Command
  q: string
  /** Where no word names the list, every one has to be said by its filters; where one in the middle does, some of the others. */
  said?: 'wholly' | 'partly'
  /** The command whose verb was typed before the list: its rows are marked there. */
  verb?: Command
  /** Words before `all` that name no command. */
  unread?: string
  /** The order that was asked for, and how that is said. */
  order?: { sort: string; order: 'asc' | 'desc'; words: string }
}

/** Parses the text of the field: mode, text, and possible ids. A link of this portal counts as an id. */
export function readTyped(typed: string, entities: readonly AnyEntity[], origin: string): ParsedQuery {
  const trimmed = typed.trim()
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
  const rest = chosen ? typed.slice(1).trim() : trimmed
  const text = mode === 'filters' ? rest : (address.exec(rest)?.[1] ?? plainAmount(rest).replace(lastNameFirst, '$1 '))
  const short = mode === 'all' || mode === 'ids' ? idsOfShort(text, entities) : []
  if (short.length > 0) return { mode: 'ids', text: (short[0] as Named).id, ids: short, only: null }
  const ids =
    (mode === 'all' || mode === 'ids' || mode === 'people') && !isAmount(rest)
      ? entities.flatMap((entity) => {
          const id = entity.ids.readAlone(text)
          return id === null ? [] : [{ entity, id }]
        })
      : []
  return { mode, text, ids, only: null, ...(text === rest ? {} : { whole: rest }) }
}

/** What is said after `/` where no list is open, which is said of any list then; a link of the portal is left. */
export const ofAnyList = (typed: string): string => typed.replace(/^\/(?=.*\S)(?!\S+\/)/, '')

/** `Ann Lee <ann@example.com>`, as a mail program copies it. */
const address = /^[^<>]*<([^<>\s]+@[^<>\s]+)>$/

/** The comma of `Barnes, Sadia`, which no name has in it. */
const lastNameFirst = /^([\p{L}'’ -]+), *(?=\p{L}[\p{L}'’ .-]*$)/u

const anyAmount = /^\$?\s?(\d+|\d{1,3}(,\d{3})+)(\.\d{1,2})?$/

/** `$1,628.29` as `1628.29`, which is how the texts of the bank have it; any other text as it is. */
const plainAmount = (text: string): string => (anyAmount.test(text) ? text.replace(/[$,\s]/g, '') : text)

/** Whether a text is written as an amount, `$50`, `8,685` or `86.85`, so that it is no id. */
export const isAmount = (text: string): boolean => anyAmount.test(text) && /^\$|,|\.\d\d$/.test(text)

/** Whether a text that was pasted holds several ids, as a column of a spreadsheet does, or one line. */
export const holdsIds = (pasted: string): boolean =>
  spacedIds.test(pasted) ||
  pasted.split(/[\n\r\t,;]+/).filter((part) => /^\s*["']?([a-z]{2,5}-)?\d{3,15}["']?\s*$/i.test(part)).length > 1

interface Named {
  entity: AnyEntity
  id: string
}

/** `/employees/104234`, or its full address on this portal; a link to another portal means another person. */
function entityOfLink(text: string, entities: readonly AnyEntity[], origin: string): Named | null {
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
function entityOfWords(text: string, entities: readonly AnyEntity[]): Named | null {
  const lower = text.toLowerCase()
  for (const entity of entities) {
    const named = lower.startsWith(`${entity.one} `)
    const lettered = entity.ids.isSpoken && /^[a-z]/.test(lower)
    const id = named ? entity.ids.read(text.slice(entity.one.length + 1).trim()) : lettered ? entity.ids.readAlone(text) : null
    if (id !== null) return { entity, id }
  }
  return null
}

/** `emp 104234`: an id behind a beginning of its noun, of three letters, which may begin others as well. */
function idsOfShort(text: string, entities: readonly AnyEntity[]): Named[] {
  const [, noun = '', number = ''] = /^([a-z]{3,}) #?(\d+)$/i.exec(text) ?? []
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
