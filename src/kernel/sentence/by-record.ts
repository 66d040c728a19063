import type { AnyEntity } from '#kernel/entity.ts'
import { fold } from '#kernel/fold.ts'
import { recordNamed } from '#kernel/filter-records.ts'
import { entityOf, mayBeName } from '#kernel/sentence/lists.ts'
import {
  type ActionReading,
  actionsIn,
  listsIn,
  type ParsedQuery,
  readTyped,
  type SentenceReading,
  type Vocabulary,
} from '#kernel/sentence/reading.ts'
import { isPlain, joint, leadsToName, maxNameWords, countDown, type Word, wordsBehind } from '#kernel/sentence/words.ts'

/** The sentences as a search for their records: by ids, or by `text`, the words of a name. */
export function aboutRecords(typed: ParsedQuery, readings: readonly SentenceReading[], text?: string): ParsedQuery {
  const ids = text === undefined ? readings.flatMap(({ on, ids: [id = ''] }) => (on ? [{ entity: on, id }] : [])) : []
  const only = readings.flatMap(({ on }) => on?.name ?? [])
  return { mode: 'all', said: typed.said, text: text ?? ids[0]?.id ?? '', ids, only, readings }
}

/** How many of the first words may be a name, most first; at least one word is left. */
const nameLengths = (words: readonly unknown[]): number[] => countDown(Math.min(maxNameWords, words.length - 1))

/** The sentences with the first words as the name of a record, most words first. */
export function byName(typed: ParsedQuery, sentences: readonly SentenceReading[], entities: readonly AnyEntity[]): ParsedQuery[] {
  const searched = sentences.filter(({ on }) => on && entities.includes(on))
  const quick = searched.filter(({ on }) => !on?.slowToSearch)
  const own = quick.length ? quick : searched
  const said = own[0]?.words ?? []
  const from = said.length > 2 && said[0] !== undefined && isPlain(said[0]) && leadsToName.test(said[0].text) ? 1 : 0
  const words = said.slice(from)
  return nameLengths(words).flatMap((length) => {
    const name = words.slice(0, length)
    // A colon may follow the name: `note for sadia barnes: called back`.
    const isPart = (word: Word, at: number) => isPlain(word) || (at === length - 1 && word.text === '' && !word.quoted)
    // `tom okafor tom` is no name: the second one begins another.
    if (new Set(name.map(({ text }) => fold(text))).size < length) return []
    if (!name.every(isPart) || !name.every(({ text }) => mayBeName(text)) || joint.test(name.at(-1)?.text ?? '')) return []
    const read = own.map((each) => ({
      ...each,
      about: 'name' as const,
      alone: true,
      words: wordsBehind(each.words, from + length),
    }))
    return [aboutRecords(typed, read, name.map(({ name: before, text }) => before ?? text).join(' '))]
  })
}

/** The commands of a reading with fewer words as the name of a record, most words first; the others are left. */
export function byFewerWords(typed: ParsedQuery): ParsedQuery[] {
  const words = typed.text.split(/\s+/)
  const actions = actionsIn(typed).filter(({ during }) => !during)
  return nameLengths(words).flatMap((length) => {
    const name = words.slice(0, length)
    // An amount is no name: `write off $5 of sadia`.
    if (!actions.length || typed.ids.length || !name.every(mayBeName) || !/\p{L}/u.test(name.join(''))) return []
    const readings = actions.map((each) => ({ ...each, left: words.slice(length).join(' ') }))
    return [{ ...typed, text: name.join(' '), readings }]
  })
}

/** Minimum length of an id between other words, where a shorter number is an amount. */
const minIdLength = 5
/**
 * The record whose id stands between words that are no sentence, `pasue 100467`, beside the lists that search only for that.
 * Commands that the words before it name are offered with those behind it as left: `unlink 100467 wrong person`.
 */
export function byIdInside(
  typed: ParsedQuery,
  weak: ParsedQuery,
  { entities, origin }: Vocabulary,
  actionsNamed: (words: string) => readonly ActionReading[],
): ParsedQuery | null {
  const words = typed.mode === 'all' && !typed.only ? typed.text.split(/[\s,]+/) : []
  const ids = words.filter((word) => word.length >= minIdLength && entities.some(({ ids }) => ids.readAlone(word) !== null))
  const [id] = ids
  if (id === undefined || ids.length > 1 || words.length === 1 || weak.ids.length) return null
  // `pause all employees except 100467` is about everybody else.
  if (/^except$/i.test(words[words.indexOf(id) - 1] ?? '')) return null
  // `overdue invoices of employer 100157` is a filter by that record.
  if (listsIn(weak).some(({ command, q }) => recordNamed(q, entityOf(command, entities)?.filters ?? []))) return null
  const [before, behind] = [words.slice(0, words.indexOf(id)).join(' '), words.slice(words.indexOf(id) + 1).join(' ')]
  const actions = before ? actionsNamed(before).map((each) => ({ ...each, ...(behind ? { left: behind } : {}) })) : []
  const lists = listsIn(weak).filter(({ q }) => q === '' || q === id)
  return { ...readTyped(id, entities, origin), said: typed.said, readings: [...actions, ...lists] }
}
