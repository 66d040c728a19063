import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { fold } from '#kernel/fold.ts'
import type { Field } from '#kernel/form.ts'
import type { FindRecord, Named, RefersTo } from '#kernel/sentence/arguments.ts'
import { changesNamed } from '#kernel/sentence/names.ts'
import { hasWords } from '#kernel/sentence/named.ts'
import { anId } from '#kernel/sentence/no-text.ts'
import { comma, isPlain, maxNameWords, countDown, type Word, written } from '#kernel/sentence/words.ts'

/** Maximum number of words in the name of a record. */
export const maxRecordWords = 4
/** Words before another record. */
export const besides = /^(?:and|or|not|but|except|then|[-–+&/;])$/i
/** Those that are no part of a text behind them. */
const further = /^(?:and|or|then|[+&])$/i
/** Words in a text that lead to a record which it is about. */
const leadsToOther = /^(?:at|for|from|in|instead|of)$/i
const negation = /^(?:no|nope|not)$/i

/** Recognizes what words behind a record are that are no text for it. */
export interface Others {
  /** Another order, or another record; undefined until that is known. */
  named: (words: string) => 'order' | 'record' | null | undefined
  /** Whether words are an order for records of the same noun: `approve` behind a write-off. */
  isOrder: (words: string) => boolean
  /** Whether the record was named by its name, of which the text may be the rest. */
  isByName: boolean
}

/**
 * Recognizes other orders by the names of commands, and other records by whole words of theirs: more of the same noun, people, who
 * have bills and write-offs, and the companies where they work.
 */
export function otherThan(
  { name }: Pick<AnyEntity, 'name'>,
  commands: readonly Command[],
  { find, isByName }: { find: FindRecord; isByName: boolean },
): Others {
  const nouns: RefersTo[] = [...new Set([name, 'employee', 'employer', 'organization'])].map((entity) => ({ entity }))
  return {
    isByName,
    isOrder: (words) => changesNamed(words, commands).some(({ command: { on } }) => on?.name === name),
    named(words) {
      if (changesNamed(words, commands).length) return 'order'
      const each = nouns.map((noun) => find(noun, words))
      if (each.some((found) => found?.some((record) => anId.test(words) || hasWords(record, words)))) return 'record'
      return each.includes(undefined) ? undefined : null
    },
  }
}

const textOf = (words: readonly Word[]): string =>
  words
    .map(written)
    .join(' ')
    .replace(/[,;:]$/, '')
    .replace(/^\(|\)$/g, '')
const isWord = (word: Word | undefined, of: RegExp): boolean => word !== undefined && isPlain(word) && of.test(word.text)

/** Whether words are another record, or may be until that is known. */
function isRecord(words: readonly Word[], { named }: Others): boolean {
  const other = words.length > 0 && words.length <= maxRecordWords && words.every(isPlain) ? named(textOf(words)) : null
  return other === undefined || other === 'record'
}

/** Whether words begin with another record, or may until that is known, or with another order. */
function beginsWithOther(words: readonly Word[], others: Others, isBehindComma: boolean): boolean {
  for (let length = Math.min(words.length, maxRecordWords); length > 0; length--) {
    const some = words.slice(0, length)
    const other = some.every(isPlain) ? others.named(textOf(some)) : null
    if (other === undefined || other === 'record') return true
    // Behind a comma a word may be a command by chance: `note sadia, hold the letter`.
    if (other === 'order' && (!isBehindComma || (length < words.length && beginsWithOther(words.slice(length), others, true))))
      return true
  }
  return false
}

/**
 * Whether the words behind a record go on with another order or record: `and tom`, `, resume tom`, or the order for another id,
 * `resume 100018 pause 100010`.
 */
export function goesOnWith(words: readonly Word[], others: Others): boolean {
  const [first] = words
  const isOrderFor = (length: number) =>
    isWord(words[length], anId) &&
    words.slice(0, length).every(isPlain) &&
    others.named(textOf(words.slice(0, length))) === 'order'
  return (
    // No text begins with `and`: `pause sadia and maria`.
    isWord(first, further) ||
    ((isWord(first, comma) || isWord(first, besides)) && beginsWithOther(words.slice(1), others, isWord(first, comma))) ||
    [1, 2, 3].some(isOrderFor)
  )
}

/**
 * Whether a text is about something else than the record: it is the name of an order, `approve`, `no approve it`, ends with another
 * record, `barns at acme`, or is one, or begins with one before a comma or `and`, where it may be the rest of the name:
 * `okafor`, `alvarez and sadia`. A note may say anything.
 */
export function saysOther(words: readonly Word[], main: Field | undefined, others: Others): boolean {
  if (main?.title === 'Note' || !words.every(isPlain)) return false
  // Behind a value: `50 and close it`, `250 or 300`.
  if (isWord(words[0], further)) return true
  const order = isWord(words[0], negation) ? words.slice(1) : words
  const orderEnds = [order, ...(/^(?:it|that|this|them|him|her)$/i.test(order.at(-1)?.text ?? '') ? [order.slice(0, -1)] : [])]
  const last = words.findLastIndex((word) => isWord(word, leadsToOther))
  // `duplicate of INV-40058` only refers to it.
  const isReference = last > 0 && anId.test(textOf(words.slice(last + 1, last + 2)))
  const stop = words.findIndex(({ text }, at) => at > 0 && (/[,;]$/.test(text) || further.test(text)))
  const leading = stop === -1 ? words : words.slice(0, further.test(words[stop]?.text ?? '') ? stop : stop + 1)
  return (
    orderEnds.some((some) => some.length > 0 && some.length < maxRecordWords && others.isOrder(textOf(some))) ||
    (last > -1 && !isReference && isRecord(words.slice(last + 1), others)) ||
    (others.isByName && isRecord(leading, others))
  )
}

/**
 * The further records of a noun behind the name of a first one, `and tom okafor fraud`, `, tom okafor and ann lee`, with the words
 * behind them. Null unless each name is that of one record, and the last one ends the words or follows `and`: in `, tom okafor
 * called` it may begin a text. Undefined until that is known.
 */
export function furtherRecords(
  words: readonly Word[],
  { name: entity }: Pick<AnyEntity, 'name'>,
  find: FindRecord,
): { records: readonly Named[]; rest: readonly Word[] } | null | undefined {
  const records: Named[] = []
  const joins = (word: Word | undefined) => isWord(word, comma) || isWord(word, /^(?:and|[&+])$/i)
  let at = 0
  let isLedByAnd = false
  for (let isJoined = joins(words[0]); isJoined; ) {
    for (isLedByAnd = false; joins(words[at]); at++) isLedByAnd = !isWord(words[at], comma)
    let taken = 0
    for (const length of countDown(Math.min(maxNameWords, words.length - at))) {
      const some = words.slice(at, at + length)
      if (!some.every(isPlain) || some.some(joins) || some.slice(0, -1).some(({ text }) => text.endsWith(','))) continue
      const found = find({ entity }, textOf(some))
      if (found === undefined) return undefined
      // Of a first name alone more may exist than were found.
      const isFull = ({ title }: Named) => fold(title) === fold(textOf(some)) || length > 1
      const named = found.filter((record) => hasWords(record, textOf(some)) && isFull(record))
      if (named.length > 1) return null
      if (!named.length) continue
      records.push(...named)
      taken = length
      break
    }
    if (!taken) return null
    at += taken
    isJoined = /,$/.test(words[at - 1]?.text ?? '') ? at < words.length : joins(words[at])
  }
  return isLedByAnd || at === words.length ? { records, rest: words.slice(at) } : null
}
