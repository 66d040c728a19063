import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { ofEachDate, saysOnlyMonth } from '#kernel/filter-words.ts'
import { fold } from '#kernel/fold.ts'
import { tier } from '#kernel/match.ts'
import type { Finder } from '#kernel/rank.ts'
import { readOrdered, readSet, readVerb, showsOf, wholeLists } from '#portal/palette/shown-lists.ts'
import { saidBeside, saidOf, spanFrom, timeBeside } from '#portal/palette/filter-rows.ts'
import { withOwnWords, withoutKind } from '#portal/palette/own-words.ts'
import { isAmount, type CommandMatch, readTyped, type ListMatch, type ParsedQuery } from '#portal/palette/parsed-query.ts'

/**
 * Whether words start a title (both end in a space): with its first word, a verb, or without it, or with its first two words
 * joined.
 */
const isSaid = (title: string, words: string): boolean =>
  title.startsWith(words) || title.startsWith(words, title.indexOf(' ') + 1) || title.replace(' ', '').startsWith(words)

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

/** Maximum number of words in a command title. */
const maxTitleWords = 8

interface TitledCommand {
  command: Command
  /** Its title in the form that words are compared with. */
  title: string
  /** The same without its noun: `add note` is Add invoice note. */
  short: string
  /** Its aliases by the form that words are compared with, also without the noun. */
  called: ReadonlyMap<string, string>
}

const known = new WeakMap<readonly Command[], readonly TitledCommand[]>()

/** The commands on records, indexed once per list of commands. */
function titledOf(commands: readonly Command[]): readonly TitledCommand[] {
  const before = known.get(commands)
  if (before) return before
  const titled = commands.flatMap((command): TitledCommand[] => {
    if (!command.on || command.filter) return []
    const noun = ` ${fold(command.on.one)} `
    const title = `${fold(command.title)} `
    const called = (command.aliases ?? []).flatMap((alias) => {
      const words = `${fold(alias)} `
      return [words, words.replace(noun, ' ')].map((each) => [each, alias] as const)
    })
    return [{ command, title, short: title.replace(noun, ' '), called: new Map(called) }]
  })
  known.set(commands, titled)
  return titled
}

/** Minimum number of letters of a word prefix. */
const minTypedLetters = 3

/**
 * Commands whose titles start with the words, then those whose titles without the noun do, and then, if there are any or `also`
 * is set, those with exactly these words as an alias. The words end in a space if the last one is complete.
 */
function matchesOf(words: string, commands: readonly Command[], also: boolean): CommandMatch[] {
  const titled = titledOf(commands)
  const direct = titled.filter(({ title }) => isSaid(title, words))
  const shortened = titled.filter((each) => isSaid(each.short, words) && !direct.includes(each))
  const matches = [...direct, ...shortened]
  const others = (also || matches.length ? titled : []).flatMap((each): CommandMatch[] => {
    const by = matches.includes(each) ? undefined : each.called.get(words)
    return by === undefined ? [] : [{ command: each.command, by }]
  })
  const inside = ({ title, short }: TitledCommand) =>
    ![title, short, title.replace(' ', '')].some((each) => each.startsWith(words))
  return [
    ...matches.map((each) => ({
      ...{ command: each.command, by: null },
      ...(each.title === words ? { whole: true } : inside(each) ? { inside: true } : {}),
    })),
    ...others,
  ]
}

/** Maximum number of commands that are matched by words anywhere in their titles. */
const maxInsideMatches = 5

/** Commands on records that contain every word: `adjust balance`, `change email`. */
const foundBy = (words: string, find: Finder<Command>, used: ReadOptions['used']): CommandMatch[] =>
  find(words, used, maxInsideMatches)
    .filter(({ item, tier: of }) => of < tier.substring && item.of.on && !item.of.filter)
    .map(({ item, by }) => ({ command: item.of, by, ...(by === null ? { inside: true } : {}) }))

/** Question and filler words, which are ignored. */
const fillerWord =
  /^(an?|and|are|at|by|can|can['’]?t|cannot|could|did|do|does|find|for|from|how|i|in|is|list|me|my|need|of|please|the|to|want|what|when|where|who|why|with|would|you)$/i

/** Whether the word joins the ends of a range, `100 to 500`, and must be kept. */
const joinsRange = (words: readonly string[], at: number): boolean =>
  /^(and|to)$/i.test(words[at] as string) && [words.slice(0, at), words.slice(at)].every((some) => /\d/.test(some.join(' ')))

/** `write off 50 INV-40722`: the form asks for the amount. */
const amountBeforeId = /^\$?[\d.,]+ (?=[a-z]+-\d+$)/i

interface ReadOptions {
  commands: readonly Command[]
  find: Finder<Command>
  used: (key: string) => number
  /** True once the first reading of the text had no results. */
  missed?: boolean
}

/**
 * Words of a command before the name of a record search only records that support it: `pause sadia`, `show employees of laurel`;
 * `does` has the matching commands. The name of a noun alone narrows to it: `employer laurel`. A text that is found as typed is
 * left alone. Command words behind a name (`sadia pause`), aliases (`unpause sadia`), unfinished words (`config laurel`) and a
 * short form of a noun before a name (`org heron`), which may be somebody's name, are parsed only if nothing else was found, as
 * is `lh17919`, which may be `LH-17919`; then question words are ignored, too (`why can't sadia`).
 */
export function readCommand(typed: ParsedQuery, reading: ReadOptions, entities: readonly AnyEntity[]): ParsedQuery {
  if (typed.mode !== 'all' || typed.only) return typed
  const { commands, find, used, missed = false } = reading
  // A text that is the name of a command means that command, and a single word what contains it.
  const [known] = missed ? find(typed.text, used, 1) : []
  const isKnown = known !== undefined && (known.tier <= tier.exactTitle || !/\s/.test(typed.text))
  const isTitle = find(typed.text, used, 1).some(({ tier: of, by }) => of <= tier.prefix && by === null)
  const byWords = (words: string) => matchesOf(`${fold(words)} `, commands, true).map(({ command }) => command)
  const set = isTitle ? null : readSet(typed, byWords, commands, entities, missed)
  if (set) return set
  const plain = withoutKind(typed.text, entities) ?? (missed && !isKnown ? withOwnWords(typed.text) : null)
  // Notes about the typed text quote it as typed.
  const asTyped = typed.whole ?? typed.text
  if (plain) return readCommand({ ...readTyped(plain, entities, location.origin), whole: asTyped }, reading, entities)
  // A plain amount or day may occur in every list.
  if (missed && (isAmount(asTyped) || spanFrom(asTyped, true)))
    return { ...typed, shows: wholeLists(commands).map((command) => ({ command, q: asTyped, said: 'wholly' })) }
  const ordered = missed ? (readOrdered(typed, commands, entities) ?? readVerb(typed, commands, entities)) : null
  if (ordered) return ordered
  const all = typed.text.split(/\s+/)
  const words = missed ? all.filter((word, at) => !fillerWord.test(word) || joinsRange(all, at)) : all
  if (missed && /^undo /i.test(typed.text)) return { ...readTyped('>undo', entities, location.origin), whole: asTyped }
  if (missed && unhyphenated.test(typed.text))
    return { ...typed, text: typed.text.replace(unhyphenated, '$1-$2'), whole: asTyped }
  const isFound = all.length < 2 || find(typed.text, used, 200).some(({ tier: of }) => of < tier.typingError)
  if (isFound || words.length === 0) return typed
  /** The text with one part parsed as a command, possibly unfinished, or as the name of a noun; null if it is neither. */
  const readAs = (said: readonly string[], rest: readonly string[], behind: boolean, partial: boolean): ParsedQuery | null => {
    const lead = fold(said.join(' '))
    const exact = entities.filter(({ one }) => fold(one) === lead)
    // A title with a plural matches for one: `suggest write-off 40100`.
    const several = missed && !behind && rest.some((word) => /\d/.test(word)) ? matchesOf(`${lead}s `, commands, false) : []
    const whole = exact.length ? [] : [...matchesOf(`${lead} `, commands, missed), ...several]
    const short = exact.length || whole.length || !missed ? exact : shortFor(lead, entities)
    const only = behind ? exact : short
    const isPartial = partial && !short.length && !whole.length && (said.at(-1) ?? '').length >= minTypedLetters
    const does = isPartial ? matchesOf(lead, commands, false) : whole
    if (only.length === 0 && does.length === 0) return null
    const read = { ...readTyped(rest.join(' ').replace(amountBeforeId, ''), entities, location.origin), whole: asTyped }
    // If nothing of a noun is found by the rest, its name may be the start of a command on another noun: `import laurel`, `write
    // off 40100`.
    const toOthers = missed && !behind && exact.length ? matchesOf(lead, commands, false) : []
    const doneToOthers = toOthers.filter(({ command: { on } }) => on && !exact.includes(on))
    if (doneToOthers.length) {
      // No record has that name; similar ones may exist.
      const ofName = rest.some((word) => /\d/.test(word)) ? [] : exact.map(({ name }) => name)
      return { ...read, only: [...ofName, ...nounsOf(doneToOthers)], does: doneToOthers, behind }
    }
    if (only.length) {
      const titled =
        behind || !read.ids.length ? [] : [`${lead} `, `${lead}s `].flatMap((each) => matchesOf(each, commands, false))
      const also = titled.filter(
        ({ command: { on } }) => !only.includes(on as AnyEntity) && read.ids.some(({ entity }) => entity === on),
      )
      return { ...read, only: only.map(({ name }) => name), ...(also.length ? { also } : {}) }
    }
    // Opening is what Enter does to any record.
    if (lead === 'open') return { ...read, does: [], behind }
    // A command on a deduction applies to the deduction of the named invoice.
    return { ...read, only: read.only && [...read.only, ...nounsOf(does)], does, behind }
  }
  const splits = words.slice(1).map((_, at) => at + 1)
  const rest = words.length < all.length ? { ...readTyped(words.join(' '), entities, location.origin), whole: asTyped } : typed
  const whole = readParts((said, others, behind) => readAs(said, others, behind, false))
  const shows = missed || whole ? showsOf(words, splits, commands, entities, missed) : []
  const read =
    readInside() ?? whole ?? (missed ? readParts((said, others, behind) => readAs(said, others, behind, true)) : null) ?? rest
  const timed = missed && (!whole || pastWord.test(rest.text)) && !shows.some(isSaid) ? readTimed() : null
  if (timed) return timed
  return shows.length ? { ...read, shows } : read

  /** Whether a row stands for a list, since words name it or its filters account for them all. */
  function isSaid({ command, q, said }: ListMatch): boolean {
    const entity = entities.find(({ list }) => 'reads' in command && command.reads === list)
    return !said || (entity !== undefined && saidBeside(q, entity.filters, said).length > 0)
  }

  /**
   * A name and a period: the audit events by and about it in that period. A period after `audit` or `history` alone is the audit
   * log of that period.
   */
  function readTimed(): ParsedQuery | null {
    const timed = timeBeside(words, saysOnlyMonth)
    const audit = entities.find(({ tells }) => tells)
    const [then] = timed && audit ? ofEachDate(timed.time, { filters: audit.filters, spanOf: spanFrom }) : []
    if (!timed || !audit || !then) return null
    const name = timed.rest.replace(pastWord, '')
    if (!name) {
      const lists = wholeLists(commands).filter((command) => 'reads' in command && command.reads === audit.list)
      return { ...rest, shows: lists.map((command) => ({ command, q: timed.time })) }
    }
    // For somebody who works here the audit events by them match, unless the question is what was done to them.
    const isBy = ({ id }: Command) => id.startsWith('link.audit.by-')
    const does = commands.filter((each) => each.id.startsWith('link.audit.') && !(pastWord.test(timed.rest) && isBy(each)))
    const said = saidOf(then, audit.filters).join(' · ')
    return {
      ...readTyped(name, entities, location.origin),
      whole: asTyped,
      does: does.map((command) => ({ command, by: null, ...(isBy(command) ? { first: true } : {}) })),
      during: { set: then.set, words: said },
    }
  }

  /** The text with one part parsed as a command: the longest one at the start, and one at the end only if nothing was found. */
  function readParts(
    readPart: (said: readonly string[], others: readonly string[], behind: boolean) => ParsedQuery | null,
  ): ParsedQuery | null {
    const before = (at: number) => (at > maxTitleWords ? null : readPart(words.slice(0, at), words.slice(at), false))
    const behind = (at: number) =>
      words.length - at > maxTitleWords ? null : readPart(words.slice(at), words.slice(0, at), true)
    return (missed ? first(splits, behind) : null) ?? first(splits.toReversed(), before)
  }

  /** Several words of a command that are not a prefix of its title: `adjust balance sadia`. */
  function readInside(): ParsedQuery | null {
    // A command found by all of the words, allowing a typing error of a letter, is the match.
    if (!missed || shows.some(({ said }) => !said) || find(rest.text, used, 1).length > 0) return null
    const read = readParts((said, others, behind) => {
      const isSaid = said.length > 1 && said.every(({ length }) => length >= minTypedLetters)
      const does = isSaid ? foundBy(said.join(' '), find, used) : []
      return does.length ? { ...readTyped(others.join(' '), entities, location.origin), whole: asTyped, does, behind } : null
    })
    return read && (!whole || read.text.length < whole.text.length) ? read : null
  }
}

/** Words that ask for past events. */
const pastWord = /^(audit|history)(?: |$)/i

const nounsOf = (does: readonly CommandMatch[]): string[] => [...new Set(does.flatMap(({ command: { on } }) => on?.name ?? []))]

function first(splits: readonly number[], read: (at: number) => ParsedQuery | null): ParsedQuery | null {
  for (const at of splits) {
    const found = read(at)
    if (found) return found
  }
  return null
}
