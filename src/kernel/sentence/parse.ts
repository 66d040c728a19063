import { type Command, leadsToChange } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { ofEachDate, saysOnlyMonth } from '#kernel/filter-words.ts'
import { fold } from '#kernel/fold.ts'
import { tier } from '#kernel/match.ts'
import { actionOf, actionsInside, actionsNamed, startsTitle } from '#kernel/sentence/actions.ts'
import { betweenNames } from '#kernel/sentence/list-records.ts'
import { aboutRecords, byFewerWords, byIdInside, byName } from '#kernel/sentence/by-record.ts'
import { saidBeside, timeBeside } from '#kernel/sentence/list-filters.ts'
import { readQuestion } from '#kernel/sentence/facts.ts'
import { belongsToValue, fillerWord } from '#kernel/sentence/filler-words.ts'
import { entityOf, listsOf, ofStatus, readSet, readVerb, wholeLists } from '#kernel/sentence/lists.ts'
import { commandNames, maxTitleWords, nameKey } from '#kernel/sentence/names.ts'
import { isQuestion, withoutPossessive } from '#kernel/sentence/meaning-words.ts'
import { inOwnWords } from '#kernel/sentence/own-words.ts'
import {
  type ActionReading,
  actionsIn,
  isAmount,
  type ListReading,
  listsIn,
  type ParsedQuery,
  readTyped,
  type SentenceReading,
  type Vocabulary,
  withoutKind,
} from '#kernel/sentence/reading.ts'
import { readOrdered } from '#kernel/sentence/orders.ts'
import { withNameBehind, withNameMoved } from '#kernel/sentence/reordered.ts'
import { readSentences } from '#kernel/sentence/sentence.ts'
import { readWhoMay } from '#kernel/sentence/who-may.ts'
import { leadsToName } from '#kernel/sentence/words.ts'

/** Nouns that a word abbreviates: `org`, `emp` for two of them, `wo`. */
function shortFor(said: string, entities: readonly AnyEntity[]): readonly AnyEntity[] {
  const initials = (one: string) => one.split(' ').map(([letter]) => letter)
  return entities.filter(({ one }) => {
    const noun = fold(one)
    return said.length >= 3 ? noun.startsWith(said) : said.length === 2 && initials(noun).join('') === said
  })
}

/** Letters and digits without the hyphen of an id, as callers often spell it. */
const unhyphenated = /^([a-z]{2,4})(\d{3,})$/i

/** Minimum number of letters of a word prefix. */
const minTypedLetters = 3

/** `write off 50 INV-40722`: an amount in front of the record, which no command takes that has no sentence. */
const amountBeforeId = /^\$?[\d.,]+ (?=[a-z]+-\d+$)/i

/**
 * The text as sentences: of those that name records and say something about them, else of those that leave the record to the
 * selection.
 */
function sentencesOf({ mode, only, said }: ParsedQuery, { commands, entities }: Vocabulary): SentenceReading[] {
  if (mode !== 'all' || only) return []
  const all = readSentences(said, commands, entities)
  const onIds = all.filter(({ on, ids, words }) => on && ids.length > 0 && (words.length > 0 || ids.length > 1))
  const readable = onIds.filter(({ on }) => on && entities.includes(on))
  // Without one that may be read, the record itself says which permission is missing.
  const named = readable.length ? readable : onIds
  const others = named.length ? named : all.filter(({ ids, words }) => !ids.length && words.length > 0)
  return others.map((each) => ({ kind: 'sentence', ...each, about: named.length ? 'ids' : 'selection', alone: false }))
}

/** A command whose words stand around the name of a record: `reset sadia password`. Null if there is none. */
function byNameInside(typed: ParsedQuery, { commands, entities, origin }: Vocabulary): ParsedQuery | null {
  const words = typed.text.split(/\s+/).filter((word) => !fillerWord.test(word))
  const { byWords } = commandNames(commands)
  for (let end = words.length - 1; end > 1; end--) {
    const named = byWords.get(nameKey([words[0], ...words.slice(end)].join(' '))) ?? []
    const readings = named
      .filter(({ command }) => command.on)
      .map(({ command, by }) => actionOf(command, by, by ? 'alias' : 'whole'))
    if (readings.length) return { ...readTyped(words.slice(1, end).join(' '), entities, origin), said: typed.said, readings }
  }
  return null
}

/** Whether a reading is worth another search. */
const differs = (one: ParsedQuery, other: ParsedQuery): boolean =>
  one.text !== other.text || String(one.only) !== String(other.only) || listsIn(one).length > 0

/**
 * What a text may say, best first; the next one counts if nothing is found for those before. Words of a command before the name
 * of a record are for records that support it: `pause sadia`, `show employees of laurel`. The name of a noun alone narrows to it:
 * `employer laurel`. A text that is found as typed is left alone. Command words behind a name (`sadia pause`), aliases
 * (`unpause sadia`), unfinished words (`config laurel`), synonyms, and a short form of a noun (`org heron`) may be somebody's
 * name, and are read second, as is `lh17919`, which may be `LH-17919`; then question words are ignored, too (`why can't sadia`).
 * Last come the values of a sentence behind a name.
 */
function* readingsOf(typed: ParsedQuery, vocabulary: Vocabulary): Generator<ParsedQuery, undefined> {
  const isPlain = typed.mode === 'all' && !typed.only
  const plain = isPlain ? withoutPossessive(typed.said) : null
  const reordered = isPlain ? withNameBehind(plain ?? typed.said, vocabulary.commands) : null
  if (reordered) yield* asTyped(reordered)
  const whoMay = isPlain ? readWhoMay(typed, vocabulary) : null
  if (whoMay) {
    yield whoMay
    return
  }
  const sentences = sentencesOf(typed, vocabulary)
  const question = isPlain ? readQuestion(typed, vocabulary) : null
  if (question?.isCertain) {
    yield question.query
    // Nobody with that name: `phone of amelia` is no order to clear that of somebody called Amélie.
    if (!sentences.length) return
  }
  if (sentences.some(({ about }) => about === 'ids')) {
    yield aboutRecords(typed, sentences)
    return
  }
  const strict = readWords(typed, vocabulary, false)
  // `phone tom` asks for a number, and is no order to clear one.
  if (question && actionsIn(strict).some(({ command }) => leadsToChange(command))) yield question.query
  yield { ...strict, readings: [...strict.readings, ...sentences] }
  if (question && !sentences.length) yield question.query
  // After a record that is called so, `wendy's north`; a text behind a command stays as it is.
  if (plain && !sentences.length) {
    yield* asTyped(plain)
    return
  }
  const weak = readWords(typed, vocabulary, true)
  if (!sentences.length) {
    // A whole title means that command, also if a part of it is found as a name.
    const [best] = vocabulary.find(typed.text, vocabulary.used, 1)
    if (best && best.tier <= tier.exactTitle && best.by === null) return
    if (differs(weak, strict)) yield weak
    // `repayments birch over 500` is a list with a filter, and no repayment of Birch Over; `acme paused employees` is one of a status,
    // and `employees of birch and acme` one of two companies.
    const ofStatusNow = ofStatus(vocabulary.commands)
    const isFiltered = listsIn(weak).some(({ command, q, every }) => {
      if ((!every && ofStatusNow.includes(command)) || betweenNames.test(q)) return true
      const entity = entityOf(command, vocabulary.entities)
      return entity !== undefined && saidBeside(q, entity.filters, vocabulary.spanOf, every).length > 0
    })
    // The whole name of a change behind a name comes before a word at the end: `sadia pause lost card` deletes no card.
    const moved = isFiltered || isQuestion(typed.said) ? null : withNameMoved(typed.said, vocabulary.commands)
    if (moved) yield* asTyped(moved)
    const shorter = isFiltered ? [] : byFewerWords(weak)
    yield* shorter
    // A synonym may name what only other records have: `why can't 100070` of an employee.
    const literal = readWords(typed, vocabulary, true, false)
    const isOther = differs(literal, weak)
    if (isOther) yield literal
    const around = byNameInside(typed, vocabulary)
    if (around) yield around
    const inside = insideOf()
    if (inside) yield inside
    if (shorter.length || isOther || around || inside) yield weak
    return
  }
  const alone = sentences.map((each) => ({ ...each, alone: true }))
  const last = { ...weak, readings: [...weak.readings, ...alone] }
  yield last
  // `approve all write-offs` is nobody called Allen.
  const names = listsIn(last).some(({ verb }) => verb) ? [] : byName(typed, sentences, vocabulary.entities)
  yield* names
  const inside = insideOf()
  if (inside) yield inside
  if (names.length || inside) yield last

  function asTyped(text: string): Generator<ParsedQuery, undefined> {
    return readingsOf(readTyped(text, vocabulary.entities, vocabulary.origin), vocabulary)
  }

  function insideOf(): ParsedQuery | null {
    return byIdInside(typed, weak, vocabulary, (words) => {
      const named = actionsNamed(`${fold(words)} `, vocabulary.commands, true)
      return named.length ? named : actionsInside(words, vocabulary)
    })
  }
}

/** The readings of a text by place, best first, each read at its first use; undefined after the last one. */
export function parse(typed: ParsedQuery, vocabulary: Vocabulary): (place: number) => ParsedQuery | undefined {
  const known: ParsedQuery[] = []
  const rest = readingsOf(typed, vocabulary)
  return (place) => {
    while (known.length <= place) {
      const { value, done } = rest.next()
      if (done) return undefined
      known.push(value)
    }
    return known[place]
  }
}

/** Maximum number of commands that are looked at; the palette asks for the same. */
const maxHits = 200

/** One reading of the words; a weak one may take somebody's name for something else, and also reads synonyms by default. */
function readWords(typed: ParsedQuery, vocabulary: Vocabulary, weak: boolean, synonyms = weak): ParsedQuery {
  if (typed.mode !== 'all' || typed.only) return typed
  const { commands, entities, find, used, origin, spanOf } = vocabulary
  const { said } = typed
  const read = (text: string): ParsedQuery => ({ ...readTyped(text, entities, origin), said })
  // A text that is the name of a command means that command, and a single word what contains it.
  const hits = find(typed.text, used, maxHits)
  const [known] = hits
  const isKnown = known !== undefined && (known.tier <= tier.exactTitle || !/\s/.test(typed.text))
  const isName = known !== undefined && (known.by === null ? known.tier <= tier.prefix : known.tier < tier.prefix)
  const byWords = (words: string) => {
    const named = actionsNamed(`${fold(words)} `, commands, true)
    // `refund all` is no order to cancel refunds.
    const strong = named.filter((each) => each.named !== 'inside')
    return (strong.length ? strong : named).map(({ command }) => command)
  }
  const set = isName ? null : readSet(typed, byWords, vocabulary, weak)
  if (set) return set
  const plain = withoutKind(typed.text, entities) ?? (synonyms && !isKnown ? inOwnWords(typed.text, commands) : null)
  if (plain) return readWords(read(plain), vocabulary, weak, synonyms)
  // A plain amount or day may occur in every list.
  if (weak && (isAmount(said) || spanOf(said, true)))
    return { ...typed, readings: wholeLists(commands).map((command) => ({ kind: 'list', command, q: said, every: 'word' })) }
  const ordered = weak && !isName ? (readOrdered(typed, vocabulary) ?? readVerb(typed, vocabulary)) : null
  if (ordered) return ordered
  const all = typed.text.split(/\s+/)
  // `explain access of` is another command than `explain access to`.
  const led = weak ? all.findLastIndex((word, at) => fillerWord.test(word) && startsTitle(all.slice(0, at + 1), commands)) : 0
  const words = weak ? all.filter((word, at) => at <= led || !fillerWord.test(word) || belongsToValue(all, at)) : all
  if (weak && /^undo /i.test(typed.text)) return read('>undo')
  if (weak && unhyphenated.test(typed.text)) return { ...typed, text: typed.text.replace(unhyphenated, '$1-$2') }
  const isFound = all.length < 2 || hits.some(({ tier: of }) => of < tier.typingError)
  if (isFound || words.length === 0) return typed
  /** The text with one part parsed as a command, possibly unfinished, or as the name of a noun; null if it is neither. */
  const readAs = (
    part: readonly string[],
    others: readonly string[],
    isBehind: boolean,
    partial: boolean,
  ): ParsedQuery | null => {
    const lead = fold(part.join(' '))
    const exact = entities.filter(({ one }) => fold(one) === lead)
    // A title with a plural matches for one: `suggest write-off 40100`.
    const several = weak && !isBehind && others.some((word) => /\d/.test(word)) ? actionsNamed(`${lead}s `, commands, false) : []
    const whole = exact.length ? [] : [...actionsNamed(`${lead} `, commands, weak), ...several]
    const short = exact.length || whole.length || !weak ? exact : shortFor(lead, entities)
    const only = isBehind ? exact : short
    const isPartial = partial && !short.length && !whole.length && (part.at(-1) ?? '').length >= minTypedLetters
    const actions = isPartial ? actionsNamed(lead, commands, false) : whole
    if (only.length === 0 && actions.length === 0) return null
    // `pause for anna` is nobody called Ford.
    const named =
      !isBehind && !exact.length && others.length > 1 && leadsToName.test(others[0] as string) ? others.slice(1) : others
    const [amount = ''] = isBehind ? [] : (amountBeforeId.exec(named.join(' ')) ?? [])
    const rest = read(named.join(' ').slice(amount.length))
    const withAmount = <R extends ActionReading>(some: readonly R[]) =>
      amount ? some.map((each) => ({ ...each, left: amount.trim() })) : some
    // If nothing of a noun is found by the rest, its name may be the start of a command on another noun: `import laurel`, `write
    // off 40100`.
    const toOthers = weak && !isBehind && exact.length ? actionsNamed(lead, commands, false) : []
    const doneToOthers = toOthers.filter(({ command: { on } }) => on && !exact.includes(on))
    if (doneToOthers.length) {
      // No record has that name; similar ones may exist.
      const ofName = others.some((word) => /\d/.test(word)) ? [] : exact.map(({ name }) => name)
      return { ...rest, only: [...ofName, ...nounsOf(doneToOthers)], readings: withAmount(doneToOthers) }
    }
    if (only.length) {
      const titled =
        isBehind || !rest.ids.length ? [] : [`${lead} `, `${lead}s `].flatMap((each) => actionsNamed(each, commands, false))
      const byId = titled.filter(
        ({ command: { on } }) => !only.includes(on as AnyEntity) && rest.ids.some(({ entity }) => entity === on),
      )
      return { ...rest, only: only.map(({ name }) => name), readings: withAmount(byId).map((each) => ({ ...each, byId: true })) }
    }
    // Opening is what Enter does to any record.
    if (lead === 'open') return { ...rest, readings: [{ kind: 'record' }] }
    // `approve WOF-12` is about that write-off; a command on a deduction alone applies to the deduction of the named invoice.
    const own = actions.filter(({ command: { on } }) => on && rest.only?.includes(on.name))
    const onNamed = own.length ? own : actions
    return { ...rest, only: rest.only && [...rest.only, ...nounsOf(onNamed)], readings: withAmount(onNamed) }
  }
  const splits = words.slice(1).map((_, at) => at + 1)
  const unchanged = words.length < all.length ? read(words.join(' ')) : typed
  const whole = readParts((part, others, isBehind) => readAs(part, others, isBehind, false))
  const namedBy = (some: readonly string[]) => listsOf(some, vocabulary, weak, some.length - 1)
  const plainly = weak || whole ? namedBy(words) : []
  // `in review invoices laurel`: a label may have words that are ignored elsewhere.
  const literal = weak && words.length < all.length ? namedBy(all).filter(({ every }) => !every) : []
  const wordsLeft = (lists: readonly ListReading[]) => Math.min(...lists.map(({ q }) => q.split(' ').length))
  const lists = wordsLeft(literal) < wordsLeft(plainly) ? literal : plainly
  const best =
    readInside() ??
    whole ??
    (weak ? readParts((part, others, isBehind) => readAs(part, others, isBehind, true)) : null) ??
    unchanged
  const timed = weak && (!whole || pastWord.test(unchanged.text)) && !lists.some(isNamed) ? readTimed() : null
  return timed ?? { ...best, readings: [...best.readings, ...lists] }

  /** Whether a row stands for a list, since words name it or its filters account for them all. */
  function isNamed({ command, q, every }: ListReading): boolean {
    const entity = entityOf(command, entities)
    return !every || (entity !== undefined && saidBeside(q, entity.filters, spanOf, every).length > 0)
  }

  /**
   * A name and a period: the audit events by and about it in that period. A period after `audit` or `history` alone is the audit
   * log of that period.
   */
  function readTimed(): ParsedQuery | null {
    const timed = timeBeside(words, saysOnlyMonth, spanOf)
    const audit = entities.find(({ tells }) => tells)
    const [then] = timed && audit ? ofEachDate(timed.time, { filters: audit.filters, spanOf }) : []
    if (!timed || !audit || !then) return null
    const name = timed.rest.replace(pastWord, '')
    if (!name) {
      const all = wholeLists(commands).filter((command) => entityOf(command, [audit]))
      return { ...unchanged, readings: all.map((command) => ({ kind: 'list', command, q: timed.time })) }
    }
    // For somebody who works here the audit events by them match, unless the question is what was done to them.
    const isBy = ({ id }: Command) => id.startsWith('link.audit.by-')
    const asked = commands.filter((each) => each.id.startsWith('link.audit.') && !(pastWord.test(timed.rest) && isBy(each)))
    const during = { set: then.set, filters: audit.filters }
    const readings = asked.map((command) => ({ ...actionOf(command, null, isBy(command) ? 'first' : 'start'), during }))
    return { ...read(name), readings }
  }

  /** The text with one part parsed as a command: the longest one at the start, and one at the end only if nothing was found. */
  function readParts(
    readPart: (part: readonly string[], others: readonly string[], isBehind: boolean) => ParsedQuery | null,
  ): ParsedQuery | null {
    const before = (at: number) => (at > maxTitleWords ? null : readPart(words.slice(0, at), words.slice(at), false))
    const behind = (at: number) =>
      words.length - at > maxTitleWords ? null : readPart(words.slice(at), words.slice(0, at), true)
    const atStart = () => first(splits.toReversed(), before)
    // Two words that begin a title come before any at the end.
    const isLed = actionsNamed(`${fold(words.slice(0, 2).join(' '))} `, commands, false).some(({ named }) => named === 'start')
    return (isLed ? atStart() : null) ?? (weak ? first(splits, behind) : null) ?? atStart()
  }

  /** Several words of a command that are not a prefix of its title: `adjust balance sadia`. */
  function readInside(): ParsedQuery | null {
    // A command found by all of the words, allowing a typing error of a letter, is the match.
    if (!weak || lists.some(({ every }) => !every) || find(unchanged.text, used, 1).length > 0) return null
    const inside = readParts((part, others) => {
      const isLong = part.length > 1 && part.every(({ length }) => length >= minTypedLetters)
      const readings = isLong ? actionsInside(part.join(' '), vocabulary) : []
      return readings.length ? { ...read(others.join(' ')), readings } : null
    })
    return inside && (!whole || inside.text.length < whole.text.length) ? inside : null
  }
}

/** Words that ask for past events. */
const pastWord = /^(audit|history)(?: |$)/i

const nounsOf = (actions: readonly ActionReading[]): string[] => [
  ...new Set(actions.flatMap(({ command: { on } }) => on?.name ?? [])),
]

function first(splits: readonly number[], read: (at: number) => ParsedQuery | null): ParsedQuery | null {
  for (const at of splits) {
    const found = read(at)
    if (found) return found
  }
  return null
}
