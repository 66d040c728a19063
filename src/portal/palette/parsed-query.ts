import type { FilterSetting } from '#contract/filter.ts'
import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { spacedIds } from '#kernel/pasted-ids.ts'

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

export interface ParsedQuery {
  mode: Mode
  /** The searched text, without the mode character. */
  text: string
  /** The query for the API in place of the text: `INV-61` may be the start of a longer number. */
  asked?: string
  /** Records that the text may be the id of. */
  ids: readonly { entity: AnyEntity; id: string }[]
  /** The nouns that can match, if a link or a noun's name narrows them; null for all. */
  only: readonly string[] | null
  /** Commands named before or behind the record (`readCommand`). */
  does?: readonly CommandMatch[]
  behind?: boolean
  /** With a noun: commands whose titles contain it, for the record whose id follows, `write off INV-40001`. */
  also?: readonly CommandMatch[]
  /** Lists of one status named before or behind the words to search in them. */
  shows?: readonly ListMatch[]
  /** The whole typed text, if only a part of it is searched. */
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

/** A command that shows a list of one status, and the text to search in it. */
export interface ListMatch {
  command: Command
  q: string
  /**
   * 'wholly' if no word names the list: its filters must account for every word; 'partly' if one in the middle does: for some of
   * the others.
   */
  said?: 'wholly' | 'partly'
  /** The command whose verb was typed before the list, to be run on rows marked there. */
  verb?: Command
  /** Words before `all` that name no command. */
  unread?: string
  /** The requested order, with its wording. */
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
  if (short.length > 0) return { mode: 'ids', text: (short[0] as NamedRecord).id, ids: short, only: null }
  const ids =
    (mode === 'all' || mode === 'ids' || mode === 'people') && !isAmount(rest)
      ? entities.flatMap((entity) => {
          const id = entity.ids.readAlone(text)
          return id === null ? [] : [{ entity, id }]
        })
      : []
  return { mode, text, ids, only: null, ...(text === rest ? {} : { whole: rest }) }
}

/** The text after `/` if no list is open: it then applies to any list; a link of the portal is unchanged. */
export const ofAnyList = (typed: string): string => typed.replace(/^\/(?=.*\S)(?!\S+\/)/, '')

/** `Ann Lee <ann@example.com>`, as copied from a mail client. */
const address = /^[^<>]*<([^<>\s]+@[^<>\s]+)>$/

/** The comma of `Barnes, Sadia`, which no name contains. */
const lastNameFirst = /^([\p{L}'’ -]+), *(?=\p{L}[\p{L}'’ .-]*$)/u

const anyAmount = /^\$?\s?(\d+|\d{1,3}(,\d{3})+)(\.\d{1,2})?$/

/** `$1,628.29` as `1628.29`, the format of bank statement texts; any other text unchanged. */
const plainAmount = (text: string): string => (anyAmount.test(text) ? text.replace(/[$,\s]/g, '') : text)

/** Whether a text is formatted as an amount, `$50`, `8,685` or `86.85`, and so is no id. */
export const isAmount = (text: string): boolean => anyAmount.test(text) && /^\$|,|\.\d\d$/.test(text)

/** Whether a pasted text has several ids, as a column of a spreadsheet does, or one line. */
export const holdsIds = (pasted: string): boolean =>
  spacedIds.test(pasted) ||
  pasted.split(/[\n\r\t,;]+/).filter((part) => /^\s*["']?([a-z]{2,5}-)?\d{3,15}["']?\s*$/i.test(part)).length > 1

interface NamedRecord {
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
