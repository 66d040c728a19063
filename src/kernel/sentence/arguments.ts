import { parseDollars } from '#domain/money.ts'
import { fold } from '#kernel/fold.ts'
import type { Field } from '#kernel/form.ts'

/** The day that words name, `yyyy-MM-dd`: `nov 20`, `-3d`, `friday`; null if it is none. `past` prefers a past one. */
export type ReadDay = (words: string, past: boolean) => string | null

/** The values that words give to the fields of a form, and the words that no field takes. */
export interface Arguments {
  /** By field: cents, basis points, ISO dates, values of choices, texts. */
  values: Readonly<Record<string, unknown>>
  left: readonly string[]
}

/** A word as typed; one in quotes may have spaces. */
export interface Word {
  text: string
  /** The field before the colon of `reason: called back`. */
  name?: string
  quoted?: true
}

/** Whether a word is neither in quotes nor a value with its name. */
export const isPlain = ({ name, quoted }: Word): boolean => !name && !quoted

const token = /(?:([\p{L}][\p{L}\p{N}_-]*):(?!\/\/))?(?:"([^"]*)"|(\S+))?/guy

/** Splits a sentence into words: quotes keep several together, `name:value` names the field of a value. */
export function wordsIn(sentence: string): Word[] {
  const words: Word[] = []
  for (let at = 0; at < sentence.length; ) {
    token.lastIndex = at
    const [all = '', name, quoted, plain = ''] = token.exec(sentence) ?? []
    if (all) words.push({ text: quoted ?? plain, ...(name ? { name } : {}), ...(quoted === undefined ? {} : { quoted: true }) })
    at += all.length || 1
  }
  return words
}

const written = ({ name, text }: Word): string => (name ? `${name}:${text}` : text)

/** Fields that one line of text gives a value to. The others are filled in on the form: rows, tables, files, secrets. */
const typable: ReadonlySet<string> = new Set([
  ...['text', 'long-text', 'e-mail', 'code', 'integer', 'money', 'percentage', 'date', 'switch', 'choice', 'choices'],
  ...['reference', 'references'],
])
const isText = ({ kind }: Field): boolean => kind === 'text' || kind === 'long-text'

/**
 * The field that takes the text at the end of a sentence: the only required one of text, or if none is required the first of
 * several lines. Of several required ones, such as first and last name, none: which part belongs to which would be a guess.
 */
export function mainText(fields: readonly Field[]): Field | undefined {
  const texts = fields.filter((field) => isText(field) && field.options.length === 0 && !field.when)
  const required = texts.filter(({ optional }) => !optional)
  return required.length === 1 ? required[0] : required.length === 0 ? texts.find(({ kind }) => kind === 'long-text') : undefined
}

const amount = /^[-−]?\$?(\d{1,3}(,\d{3})+|\d+)?(\.\d{1,2})?$/
const percent = /^\d{1,3}(\.\d{1,2})?%?$/
const address = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Maximum number of words in the name of a field. */
const maxNameWords = 5
/** Maximum number of words in a date: `in 2 weeks`, `sat nov 21`. */
const maxDateWords = 3
/** Minimum number of letters of an unfinished label. */
const minLetters = 3

/** The option that words name: by value or label, or as the only one whose label begins with them. */
function optionOf({ options }: Field, words: string): string | undefined {
  const typed = fold(words)
  const whole = options.find(({ value, label }) => [fold(value), fold(label)].includes(typed))
  if (whole) return whole.value
  const unfinished = typed.length < minLetters ? [] : options.filter(({ label }) => `${fold(label)} `.startsWith(`${typed} `))
  return unfinished.length === 1 ? unfinished[0]?.value : undefined
}

/** The value that words are for a field, in its own unit; undefined if they are none. */
function read(field: Field, words: string, readDay: ReadDay, isNamed: boolean): unknown {
  switch (field.kind) {
    case 'text':
    case 'long-text':
      return field.options.length ? optionOf(field, words) : isNamed ? words : undefined
    case 'code':
      return isNamed ? words : undefined
    case 'e-mail':
      return address.test(words) ? words : undefined
    case 'money':
      return amount.test(words) ? (parseDollars(words) ?? undefined) : undefined
    case 'percentage':
      // Hundredths, as in cents.
      return percent.test(words) && (isNamed || words.endsWith('%'))
        ? (parseDollars(words.replace('%', '')) ?? undefined)
        : undefined
    case 'integer':
      return /^\d{1,9}$/.test(words) ? Number(words) : undefined
    case 'date':
      // A plain number is an amount or an id rather than a day of this month.
      return !isNamed && /^\d+$/.test(words) ? undefined : (readDay(words, field.past ?? false) ?? undefined)
    case 'choice':
      return optionOf(field, words)
    case 'choices': {
      const option = optionOf(field, words)
      return option === undefined ? undefined : [option]
    }
    case 'switch': {
      const typed = fold(words)
      if (isNamed) return /^(yes|on|true)$/.test(typed) ? true : /^(no|off|false)$/.test(typed) ? false : undefined
      const title = fold(field.title)
      return typed === title ? true : typed === `not ${title}` || typed === `no ${title}` ? false : undefined
    }
    case 'reference':
      return isNamed && /^[1-9]\d{0,14}$/.test(words) ? words : undefined
    case 'references':
      return isNamed && /^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/.test(words) ? words.split(',') : undefined
    default:
      return undefined
  }
}

/** The field of `name:value`: by its title or its name in the API, whole or unfinished, in which case only one may match. */
function fieldNamed(name: string, fields: readonly Field[]): Field | undefined {
  const plain = (text: string) => fold(text).replaceAll(' ', '')
  const typed = plain(name)
  const whole = fields.find((field) => [plain(field.title), plain(field.name)].includes(typed))
  const unfinished = fields.filter((field) => [plain(field.title), plain(field.name)].some((each) => each.startsWith(typed)))
  return whole ?? (typed.length >= minLetters && unfinished.length === 1 ? unfinished[0] : undefined)
}

/** A value with its field, and the place of the first word after it. */
interface Taken {
  field: Field
  value: unknown
  end: number
}

/**
 * Gives each word to the field of a form that it is a value of: amounts, percentages, dates, labels of choices, addresses, and
 * `name:value` for any field. What follows the first word that is none is the text of the main text field; without such a field
 * it is left, as is a name of no field. A word is a value of the first field in the form's order whose kind it fits, and a field
 * takes one value, except `choices`.
 */
export function readArguments(words: readonly Word[], all: readonly Field[], readDay: ReadDay): Arguments {
  const fields = all.filter(({ kind }) => typable.has(kind))
  const main = mainText(fields)
  const values: Record<string, unknown> = {}
  const left: string[] = []
  const labels = fields.flatMap(({ title, options }) => [title, ...options.map(({ label }) => label)])
  const longest = Math.max(maxDateWords, ...labels.map((label) => label.split(' ').length + 1))
  const isFree = ({ name, kind }: Field) => !(name in values) || kind === 'choices'
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

  /** `amount:250`, `reason: called back`, `date:nov 20`: a text goes on to the next name, anything else as far as it is a value. */
  const namedAt = (at: number): Taken | null => {
    const [field, colon] = nameAt(at) ?? []
    if (!field || colon === undefined || !isFree(field)) return null
    const { text, quoted } = words[colon] as Word
    const isOpen = isText(field) && field.options.length === 0
    const last = quoted ? colon + 1 : Math.min(nextName(colon + 1), isOpen ? words.length : colon + 1 + longest)
    for (let end = last; end > colon; end--) {
      const value = read(field, [text, textOf(colon + 1, end)].filter(Boolean).join(' '), readDay, true)
      if (value !== undefined && value !== '') return { field, value, end }
    }
    return null
  }

  /** The longest run of words that is a value of a field. */
  const valueAt = (at: number): Taken | null => {
    for (let end = Math.min(words.length, at + longest); end > at; end--) {
      if (!words.slice(at, end).every(isPlain)) continue
      for (const field of fields) {
        const value = isFree(field) ? read(field, textOf(at, end), readDay, false) : undefined
        if (value !== undefined) return { field, value, end }
      }
    }
    return null
  }

  const textAt = (at: number): Taken | null => {
    const end = nextName(at)
    return main && isFree(main) && end > at ? { field: main, value: textOf(at, end), end } : null
  }

  for (let at = 0; at < words.length; ) {
    const taken = namedAt(at) ?? valueAt(at) ?? textAt(at)
    if (!taken) left.push(written(words[at] as Word))
    else {
      const { field, value } = taken
      const before = values[field.name]
      values[field.name] = Array.isArray(before) ? [...before, ...(value as unknown[])] : value
    }
    at = taken?.end ?? at + 1
  }
  return { values, left }
}
