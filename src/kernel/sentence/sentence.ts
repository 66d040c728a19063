import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { fold } from '#kernel/fold.ts'
import { currency } from '#kernel/sentence/field-value.ts'
import { changesNamed, maxTitleWords, type NamedCommand } from '#kernel/sentence/names.ts'
import { isPlain, joint, leadsToName, type Word, wordsBehind, wordsIn } from '#kernel/sentence/words.ts'

/** A sentence: what to do, to which records, and the words that are left for the fields of its form. */
export interface Sentence {
  /** Commands on records of this noun, or without a record. */
  on: AnyEntity | undefined
  commands: readonly NamedCommand[]
  /** Records of one noun; none if none is named. */
  ids: readonly string[]
  /** The words after the command and its records. */
  words: readonly Word[]
}

/** Maximum number of records in a sentence; more are pasted as a list of ids. */
const maxIds = 50

/** The id of a noun in a word, if a number is long enough to be one rather than an amount. */
function idIn(word: Word, { ids }: AnyEntity): string | null {
  if (!isPlain(word)) return null
  const plain = word.text.replace(/^#(?=\d)|[,:;]$/g, '')
  return ids.readAlone(plain) ?? (/^\d{5,15}$/.test(plain) ? ids.read(plain) : null)
}

const isValue = ({ text, name }: Word): boolean =>
  name !== undefined || [/^[-−+$]?\d/, currency, joint, day, month, wholeAmount].some((form) => form.test(text))
/** Words for a whole amount: `in full`. */
const wholeAmount = /^(?:in|full|everything)$/i
/** Words for days, which no text that is a value has alone. */
const day = /^(?:on|next|last|today|tomorrow|yesterday|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)$/i
const month = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*$/i

/** The longest name of commands that change something from here: the commands, and the place after it. */
function commandsAt(words: readonly Word[], at: number, commands: readonly Command[]): [readonly NamedCommand[], number] | null {
  for (let end = Math.min(words.length, at + maxTitleWords); end > at; end--) {
    const run = words.slice(at, end)
    if (!run.every(isPlain)) continue
    const named = changesNamed(run.map(({ text }) => text).join(' '), commands)
    if (named.length) return [named, end]
  }
  return null
}

const digitsOf = ({ text }: Word): string => text.replace(/\D/g, '')

/** Whether a number has the form of the id before it: no fewer digits, and its letters unless a comma or `and` joins them. */
const isLikeFirst = (word: Word, first: Word, isJoined: boolean): boolean =>
  digitsOf(word).length >= digitsOf(first).length && (isJoined || /[a-z]/i.test(word.text) === /[a-z]/i.test(first.text))

/**
 * Records from here, of the noun of a command: `100467 100468`, `INV-40058, INV-40059`, `employee 100467`, `100467 and 100468`. A
 * further number is one only in the form of the first: behind `INV-40058`, 6000 and 12000 are amounts.
 */
function idsAt(words: readonly Word[], from: number, entity: AnyEntity): [readonly string[], number] {
  const ids: string[] = []
  let end = from
  for (let at = from; at < words.length && ids.length < maxIds; at++) {
    const typed = words[at] as Word
    const isJoined = at > end || /[,;]$/.test(words[at - 1]?.text ?? '')
    const isLike = ids.length === 0 || isLikeFirst(typed, words[end - 1] as Word, isJoined)
    const id = isLike ? idIn(typed, entity) : null
    if (id === null) {
      const isLead = ({ text }: Word) =>
        ids.length
          ? /^(?:and|[,&+])$/i.test(text)
          : [fold(entity.one), fold(entity.many), '#'].includes(fold(text)) || joint.test(text)
      const next = words.findIndex((word, place) => place >= at && !isLead(word))
      if (next > at && idIn(words[next] as Word, entity) !== null) continue
      break
    }
    if (!ids.includes(id)) ids.push(id)
    end = at + 1
  }
  return [ids, end]
}

/**
 * The readings of a sentence by noun: `action target* argument*`, `target* action argument*` and `action argument* target`, where
 * the action is the whole title or an alias of a command that changes something. The sentence of one command without a record, or
 * on those that are selected, has no ids. Empty if no command is named.
 */
export const readSentences = (...asked: Parameters<typeof readCommands>): Sentence[] => readCommands(...asked).map(withSign)

/** An amount without a sign, or a word for a whole one; a number behind a month is a day. */
const unsigned = /^(?:\$?\d[\d.,]*k?|full|all|everything|rest)$/i

/** The sentence with its amount below zero if the command was named that way: `negative repayment of 50`. */
function withSign(sentence: Sentence): Sentence {
  if (!sentence.commands.some(({ by }) => /^negative /i.test(by ?? ''))) return sentence
  const { words } = sentence
  const at = words.findIndex(
    (word, place) => isPlain(word) && unsigned.test(word.text) && !month.test(words[place - 1]?.text ?? ''),
  )
  return { ...sentence, words: words.map((word, place) => (place === at ? { ...word, text: `-${word.text}` } : word)) }
}

function readCommands(text: string, commands: readonly Command[], entities: readonly AnyEntity[]): Sentence[] {
  const words = wordsIn(text)
  const first = commandsAt(words, 0, commands)
  if (!first) return ledByRecords(words, commands, entities)
  const [named, after] = first
  const nouns = [...new Set(named.map(({ command }) => command.on))]
  return nouns.flatMap((on): Sentence | readonly Sentence[] => {
    const own = named.filter(({ command }) => command.on === on)
    const rest = words.slice(after)
    if (!on) return { on, commands: own, ids: [], words: rest }
    const behind = behindValues(rest, on)
    // Of `repay 6000 INV-40058` the number is an amount.
    const isAmountFirst = behind !== null && /^\d+$/.test(rest[0]?.text ?? '') && !/^\d/.test(behind.by)
    const [ids, end] = isAmountFirst ? [[], 0] : idsAt(rest, 0, on)
    // `reject 70001, approve 70002` is two orders.
    if (ids.length && /[,;]$/.test(rest[end - 1]?.text ?? '') && commandsAt(rest, end, commands)) return []
    if (ids.length) return { on, commands: own, ids, words: wordsBehind(rest, end) }
    return { on, commands: own, ids: behind?.ids ?? [], words: behind?.words ?? rest }
  })
}

/** The record `by` a word behind values that are no text, with the words around it: `250 on nov 20 to INV-40722`, `250 INV-40722`. */
function behindValues(words: readonly Word[], entity: AnyEntity): (Pick<Sentence, 'ids' | 'words'> & { by: string }) | null {
  const first = words.findIndex((word) => !isValue(word))
  // A number alone may be an id at the end; before other words it is an amount.
  const at = first === -1 ? words.length - 1 : first
  const id = at > 0 ? idIn(words[at] as Word, entity) : null
  if (id === null) return null
  const lead = words[at - 1]?.text ?? ''
  const before = words.slice(0, joint.test(lead) || leadsToName.test(lead) ? at - 1 : at)
  return before.length ? { ids: [id], words: [...before, ...words.slice(at + 1)], by: words[at]?.text ?? '' } : null
}

/** `100467 pause fraud`, `250 INV-40058 repay`, `INV-40058 250 repay`. */
function ledByRecords(words: readonly Word[], commands: readonly Command[], entities: readonly AnyEntity[]): Sentence[] {
  const first = words.findIndex((word) => !isValue(word))
  return entities.flatMap((entity): Sentence[] => {
    // A number in front is an id, unless a record with letters follows: then it is an amount.
    const starts = first > 0 && /[a-z]/i.test(words[first]?.text ?? '') ? [first, 0] : [0]
    return starts.flatMap((start) => {
      const [ids, end] = idsAt(words, start, entity)
      const values = words.slice(end).findIndex((word) => !isValue(word))
      const at = [end, ...(values > 0 ? [end + values] : [])].find((place) => ids.length && commandsAt(words, place, commands))
      const named = at === undefined ? null : commandsAt(words, at, commands)
      const own = named?.[0].filter(({ command }) => command.on === entity) ?? []
      if (!named || at === undefined || !own.length) return []
      return [
        { on: entity, commands: own, ids, words: [...words.slice(0, start), ...words.slice(end, at), ...words.slice(named[1])] },
      ]
    })
  })
}
