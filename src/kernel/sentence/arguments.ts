import { fold } from '#kernel/fold.ts'
import type { Field } from '#kernel/form.ts'
import { isListChange, type ListChange } from '#kernel/form-values.ts'
import { address, type ReadDay, valueFor, valueForms } from '#kernel/sentence/field-value.ts'
import { anId, isNoText } from '#kernel/sentence/no-text.ts'
import { besides, goesOnWith, maxRecordWords, type Others, saysOther } from '#kernel/sentence/others.ts'
import {
  beforeTitle,
  fieldNamed,
  fieldTitled,
  isReference,
  isText,
  mainText,
  numeric,
  type SentenceField,
  typable,
} from '#kernel/sentence/typed-fields.ts'
import { comma, isPlain, joint, type Word, written } from '#kernel/sentence/words.ts'

/** A record that words name. */
export interface Named {
  id: string
  title: string
}

/** What a field or a filter refers to: a noun, and the query that its records have to match. */
export type RefersTo = Pick<Field, 'entity' | 'within'>

/** The records that words name, by id or name, for a field that refers to one; undefined while they are being searched for. */
export type FindRecord = (field: RefersTo, words: string) => readonly Named[] | undefined

/** The values that words give to the fields of a form, and the words that no field takes. */
export interface Arguments {
  /** By field: cents, basis points, ISO dates, values of choices, texts, ids; a list is changed (`ListChange`). */
  values: Readonly<Record<string, unknown>>
  left: readonly string[]
  /** The records that the values refer to, by field. */
  records?: Readonly<Record<string, readonly Named[]>>
}

/** Maximum number of words in the name of a field. */
const maxNameWords = 5
/** Maximum number of words in a date: `in 2 weeks`, `end of the month`. */
const maxDateWords = 4

/** A value with its field, and the place of the first word after it. */
interface Taken {
  field: Field
  value: unknown
  end: number
  record?: Named
}

/** What has been read so far. */
interface Progress {
  at: number
  values: Record<string, unknown>
  left: string[]
  records: Record<string, readonly Named[]>
  /** What the record before was to a list: another one may follow `and`, or a comma. */
  list?: keyof ListChange | undefined
}

const id = /^(?:[a-z]{2,4}-)?([1-9]\d{0,14})$/i
/** Without a search, only an id names a record. */
const byId: FindRecord = (_, words) => (id.exec(words) ?? []).slice(1).map((each) => ({ id: each, title: words }))

/** Words before a value. */
const lead = /^(?:to|for|of|at|by|on|is|as|with|dated)$/i
/** The same for a record that a list no longer has. */
const removal = /^from$/i
/** Maximum number of readings, of which each is a choice of records. */
const maxReadings = 8

/** How a list changes by a further value. */
const together = (before: unknown, change: ListChange): ListChange => {
  const { add = [], remove = [] } = isListChange(before) ? before : {}
  const [all, none] = [
    [...add, ...(change.add ?? [])],
    [...remove, ...(change.remove ?? [])],
  ]
  return { ...(all.length ? { add: all } : {}), ...(none.length ? { remove: none } : {}) }
}

/** The best reading of `allArguments`. */
export const readArguments = (...typed: Parameters<typeof allArguments>): Arguments => allArguments(...typed)[0] as Arguments

/**
 * Gives each word to the field of a form that it is a value of: amounts, percentages, dates, labels of choices, addresses, records
 * by id or name, and `name:value` for any field. What follows the first word that is none is the text of the main text field;
 * without such a field it is left, as are a name of no field, and a day or an amount that does not exist. A word is a value of the first field in the form's order whose kind it
 * fits, and a field takes one value, except lists. Several readings if a name is that of several records. Behind a record,
 * another order or record is no text: all of `and juan white fraud` is left.
 */
export function allArguments(
  words: readonly Word[],
  all: readonly SentenceField[],
  readDay: ReadDay,
  find: FindRecord = byId,
  others: Others | null = null,
): Arguments[] {
  const fields = all.filter(({ kind }) => typable.has(kind))
  const main = mainText(fields)
  const references = fields.filter(isReference)
  const labels = fields.flatMap(({ title, options }) => [title, ...options.map(({ label }) => label)])
  const longest = Math.max(maxDateWords, ...labels.map((label) => label.split(' ').length + 1))
  const isFree = ({ name, kind }: Field, { values }: Progress) => !(name in values) || isList(kind)
  /** The field that is named from here, `amount:` or `due date:`, and the place of the word with the colon. */
  const nameAt = (at: number): [Field, number] | null => {
    for (let colon = Math.min(words.length, at + maxNameWords) - 1; colon >= at; colon--) {
      const name = words[colon]?.name
      if (name === undefined || !words.slice(at, colon).every(isPlain)) continue
      const field = fieldNamed([...words.slice(at, colon).map(({ text }) => text), name].join(' '), fields)
      if (field) return [field, colon]
    }
    return null
  }
  /** The place of the next named field, or the end. */
  const nextName = (from: number) => {
    const at = words.findIndex((_, place) => place >= from && nameAt(place) !== null)
    return at === -1 ? words.length : at
  }
  const textOf = (from: number, end: number) => words.slice(from, end).map(written).join(' ')
  const isWord = (at: number, of: RegExp) => words[at] !== undefined && isPlain(words[at]) && of.test(words[at].text)

  /**
   * The records of some fields that the longest run of words from here names, after `start`, the part of the name behind a colon.
   * None until they are known.
   */
  const recordsIn = (some: readonly Field[], state: Progress, change: keyof ListChange, start = ''): Taken[] => {
    const from = state.at
    let last = start.endsWith(',') ? from : Math.min(nextName(from), from + maxRecordWords)
    for (let at = from; at < last; at++) {
      const { text, quoted } = words[at] as Word
      if (at > from && (removal.test(text) || valueAt({ ...state, at }).length > 0)) last = at
      else if (quoted || text.endsWith(',')) last = at + 1
    }
    for (let end = last; end >= from; end--) {
      const name = [start, textOf(from, end)].filter(Boolean).join(' ').replace(/,$/, '')
      if (name === '' || (end > from && isWord(end - 1, joint))) continue
      const found = some.map((field) => ({ field, named: find(field, name) }))
      // Fewer words are searched for once these are known to be no name.
      if (found.some(({ named }) => named === undefined)) return []
      const taken = found.flatMap(({ field, named = [] }) =>
        named.map((record) => ({ field, end, record, value: isList(field.kind) ? { [change]: [record.id] } : record.id })),
      )
      if (taken.length) return taken
    }
    return []
  }

  /**
   * The value of a named field in the words from here, behind `start`, the part at its colon: a text goes on to the next name,
   * anything else as far as it is a value. The part in quotes is all of it.
   */
  const valueFrom = (field: Field, from: number, start = '', quoted = false): Taken[] => {
    const isOpen = isText(field) && field.options.length === 0
    const last = quoted ? from : Math.min(nextName(from), isOpen ? words.length : from + longest)
    for (let end = last; end >= from; end--) {
      const value = valueFor(field, [start, textOf(from, end)].filter(Boolean).join(' '), readDay, true)
      if (value !== undefined && value !== '') return [{ field, value, end }]
    }
    return []
  }

  /** `amount:250`, `reason: called back`, `date:nov 20`. */
  const namedAt = (state: Progress): Taken[] => {
    const [field, colon] = nameAt(state.at) ?? []
    if (!field || colon === undefined || !isFree(field, state)) return []
    const { text, quoted } = words[colon] as Word
    if (isReference(field)) {
      const ids = text.split(',').filter((each) => id.test(each))
      if (isList(field.kind) && ids.length > 1) return [{ field, end: colon + 1, value: { add: ids } }]
      return recordsIn([field], { ...state, at: colon + 1 }, 'add', quoted ? `${text},` : text)
    }
    return valueFrom(field, colon + 1, text, quoted)
  }

  /**
   * The field that words from here name without a colon, with the place of its value: `amount 50`, `with date nov 20`. A text, other
   * than the main one, only by its whole title: `comments paid by phone`.
   */
  const titleAt = (at: number): [Field, number] | null => {
    const from = at + Number(isWord(at, beforeTitle))
    for (let end = Math.min(words.length - 1, from + maxNameWords); end > from; end--) {
      const field = words.slice(from, end).every(isPlain) ? fieldTitled(textOf(from, end), fields) : undefined
      if (field && field !== main) return [field, end + Number(end + 1 < words.length && isWord(end, lead))]
    }
    return null
  }
  /** The value of a field that is named without a colon. */
  const titledAt = (state: Progress): Taken[] => {
    const [field, from] = titleAt(state.at) ?? []
    return field && from !== undefined && isFree(field, state) && !isReference(field) ? valueFrom(field, from) : []
  }
  /** Whether words within a text name a field with a number: of `duplicate amount 50`, nobody can say what it is. */
  const isTitledNumber = (state: Progress): boolean =>
    titledAt(state).some(({ field, end }) => numeric.has(field.kind) && /\d/.test(textOf(state.at, end)))

  /** The fields that a noun names, `employer` or `employers`, with the place after it; all without one. */
  const nounAt = (some: readonly Field[], at: number): [readonly Field[], number] => {
    for (let end = Math.min(words.length - 1, at + maxNameWords); end > at; end--) {
      const noun = fold(textOf(at, end))
      const named = some.filter(({ title, entity = '' }) =>
        [fold(title), fold(entity)].some((each) => [each, each.replace(/s$/, '')].includes(noun)),
      )
      if (named.length) return [named, end]
    }
    return [some, at]
  }

  /** `to acme`, `for employer birch`, `from acme`, `and birch` behind a record. */
  const joinedAt = (state: Progress): Taken[] => {
    const { at } = state
    const some = references.filter((field) => isFree(field, state))
    const [isRemoval, isAnd] = [isWord(at, removal), isWord(at, /^and$/i)]
    const isNext = state.list !== undefined && (isAnd || words[at - 1]?.text.endsWith(',') === true)
    const change = isRemoval ? 'remove' : isWord(at, joint) && !isAnd ? 'add' : isNext ? state.list : undefined
    if (!change) return []
    const isLed = isRemoval || isWord(at, joint)
    const lists = some.filter(({ kind }) => isList(kind) || !(isRemoval || isNext))
    const [named, from] = nounAt(lists, isLed ? at + 1 : at)
    return named.length && from < words.length ? recordsIn(named, { ...state, at: from }, change) : []
  }

  /** The longest run of words that is a value of a field. */
  const valueAt = (state: Progress): Taken[] => {
    const { at } = state
    for (let end = Math.min(words.length, at + longest); end > at; end--) {
      if (!words.slice(at, end).every(isPlain)) continue
      for (const field of fields) {
        const value = isFree(field, state) ? valueFor(field, textOf(at, end), readDay, false) : undefined
        if (value !== undefined) return [{ field, value, end }]
      }
    }
    return []
  }

  /** `to dec 20`, `on friday`: a value behind a word that leads to it. */
  const ledAt = (state: Progress): Taken[] =>
    isWord(state.at, lead) && state.at + 1 < words.length ? valueAt({ ...state, at: state.at + 1 }) : []

  /** A record without a word before it, where only one field takes it: the form has one such field, and no text. */
  const bareAt = (state: Progress): Taken[] => {
    const some = references.filter((field) => isFree(field, state))
    if (some.length !== 1 || some[0]?.kind !== 'reference' || (main && isFree(main, state))) return []
    const [named, from] = nounAt(some, state.at)
    return recordsIn(named, { ...state, at: from }, 'add')
  }

  /** How many words from here have the form of a day or an amount, for which the form has a field, and yet are no value of it. */
  const mistakenAt = (state: Progress): number => {
    if (state.at === 0 && goesOn) return words.length
    // `not 100468`, `and resume 100468`: another record, which the sentence is not about.
    if (isWord(state.at, besides)) {
      const other = [1, 2].find((more) => isWord(state.at + more, anId))
      if (other !== undefined) return other + 1
    }
    // `250 INV-40010`, `250 minus 50`: not what a text of such a form begins with.
    if (fields.length > 1 && isWord(state.at, anId)) return 1
    if (isWord(state.at, /^(?:minus|plus|less)$/i) && isWord(state.at + 1, /^\$?\d/)) return 2
    const rest = words.slice(state.at)
    if (isNoText(rest, main, fields, readDay) || (others && saysOther(rest, main, others))) return rest.length
    // Of `from old@example.com to new@example.com` only the second is a value.
    const [before] = isWord(state.at, removal) ? valueAt({ ...state, at: state.at + 1 }) : []
    if (before && isWord(before.end, /^to$/i)) return before.end - state.at
    const [titled] = isTitledNumber(state) ? titledAt(state) : []
    if (titled) return titled.end - state.at
    const start = state.at + Number(isWord(state.at, lead))
    const end = [start + 2, start + 1].find(
      (place) =>
        place <= words.length &&
        words.slice(start, place).every(isPlain) &&
        fields.some(({ kind }) => valueForms[kind]?.test(textOf(start, place))),
    )
    return end === undefined ? 0 : end - state.at
  }

  const textAt = (state: Progress): Taken[] => {
    const { at } = state
    if (!main || !isFree(main, state)) return []
    // No text has the address that another field asks for, nor a record that a word leads to.
    const isOther = (place: number) =>
      fields.some((field) => field.kind === 'e-mail' && isFree(field, state) && isWord(place, address)) ||
      isTitledNumber({ ...state, at: place }) ||
      (references.length > 0 && joinedAt({ ...state, at: place, list: undefined }).length > 0)
    // `reason lost phone`, without a colon; `named Birch Foods`.
    const isTitle = fold(textOf(at, at + 1)) === fold(main.title) || (main.title === 'Name' && isWord(at, /^(?:called|named)$/i))
    // A dash before a text is no part of it: `pause 100467 - fraud`.
    const isLed = isTitle || isWord(at, /^[-–—:]$/)
    const start = at + Number(at + 1 < words.length && words.slice(at, at + 1).every(isPlain) && isLed)
    let end = nextName(at)
    for (let place = start + 1; place < end; place++) if (isOther(place)) end = place
    return end > start ? [{ field: main, value: textOf(start, end), end }] : []
  }

  const after = (state: Progress, { field: { name }, value, end, record }: Taken): Progress => ({
    at: end,
    left: [...state.left],
    values: { ...state.values, [name]: isListChange(value) ? together(state.values[name], value) : value },
    records: record ? { ...state.records, [name]: [...(state.records[name] ?? []), record] } : state.records,
    list: record && isListChange(value) ? (value.add ? 'add' : 'remove') : undefined,
  })

  const goesOn = others !== null && goesOnWith(words, others)
  let count = 1
  const readFrom = (start: Progress): Progress[] => {
    let state = start
    while (state.at < words.length) {
      const isAfterText = main !== undefined && main.name in state.values
      const values = first([namedAt, ...(isAfterText ? [] : [titledAt]), joinedAt, valueAt, ledAt, bareAt], state)
      const mistaken = values.length ? 0 : mistakenAt(state)
      const [best, ...more] = values.length || mistaken ? values : textAt(state)
      const others = more.slice(0, maxReadings - count)
      count += others.length
      if (best && others.length) return [best, ...others].flatMap((each) => readFrom(after(state, each)))
      if (best) state = after(state, best)
      else {
        const left = words.slice(state.at, state.at + Math.max(1, mistaken))
        state.left.push(...left.filter(({ text }) => text !== ',').map(written))
        state.at += left.length
      }
    }
    return [state]
  }
  const start = Number(isWord(0, comma) && !goesOn)
  return readFrom({ at: start, values: {}, left: [], records: {} }).map(({ values, left, records }) => ({
    ...{ values: { ...conditions(fields, values), ...values }, left },
    ...(Object.keys(records).length ? { records } : {}),
  }))
}

/** The first of several ways to read that gives a value. */
function first(ways: readonly ((state: Progress) => Taken[])[], state: Progress): Taken[] {
  for (const way of ways) {
    const taken = way(state)
    if (taken.length) return taken
  }
  return []
}

/** The choices under which fields with a value are asked for: a named employer is one of `Debited for: Employers`. */
const conditions = (fields: readonly Field[], values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap(({ name, when }) => (name in values && when?.is !== undefined ? [[when.field, when.is]] : [])),
  )

/** Whether a field has a list of values. */
const isList = (kind: Field['kind']): boolean => kind === 'choices' || kind === 'references'
