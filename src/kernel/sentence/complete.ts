import { fold } from '#kernel/fold.ts'
import type { Field } from '#kernel/form.ts'
import type { Arguments } from '#kernel/sentence/arguments.ts'
import { isReference } from '#kernel/sentence/typed-fields.ts'

/** A sentence whose next value is completed. */
export interface Unfinished {
  /** As typed, to its end. */
  text: string
  /** The fields of the command, in the order in which they are completed. */
  fields: readonly Field[]
  /** The values of such a text; null if it is no sentence with this command, or may be read in several ways. */
  read: (text: string) => Arguments | null
  /** Values of a field as they are typed, likely ones first: recent values, and records whose name starts so. */
  suggest: (field: Field, prefix: string) => readonly string[]
}

/** Number of words at the end that may be the beginning of a value. */
const maxPrefixWords = 4

/** A value of each kind that the name of a field may stand before. */
const samples: Partial<Record<Field['kind'], string>> = {
  ...{ text: 'x', 'long-text': 'x', code: '1', 'e-mail': 'x@example.com' },
  ...{ money: '1', percentage: '1%', integer: '1', date: 'today' },
}

/** What may be typed for a field: labels of choices, then what is suggested. */
function valuesOf(field: Field, { suggest }: Unfinished, prefix: string): readonly string[] {
  const title = field.title.toLowerCase()
  if (field.kind === 'switch') return [title, `no ${title}`]
  return [...field.options.map(({ label }) => label), ...suggest(field, prefix)]
}

/** A value with as few signs as needed: alone, behind a word for a record, in quotes, or with the name of its field. */
const waysToSay = ({ title, name, kind }: Field, value: string): string[] => {
  const quoted = /[\s:"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value
  const named = [title.toLowerCase(), name].map((each) => `${each}:${quoted}`)
  return [value, ...(isReference({ kind }) ? [`to ${value}`] : []), ...named]
}

/** The text with a value at its end, if that is then the value of the field and nothing else changes. */
function withValue(base: string, field: Field, value: string, { read, fields }: Unfinished): string | null {
  const before = read(base)
  for (const words of before ? waysToSay(field, value) : []) {
    const text = `${base}${words}`
    const after = read(text)
    const isSame = ({ name }: Field) => JSON.stringify(after?.values[name]) === JSON.stringify(before?.values[name])
    if (!after || after.left.length > (before?.left.length ?? 0) || isSame(field)) continue
    if (fields.every((each) => each === field || each.name === field.when?.field || isSame(each))) return text
  }
  return null
}

/** The name of a field in front of a value that is still to be typed, `amount: `; null if it is not read as that. */
function withName(base: string, field: Field, unfinished: Unfinished): string | null {
  const sample = samples[field.kind]
  const [name = ''] = sample && field.options.length === 0 ? [field.title.toLowerCase()] : []
  const after = name ? unfinished.read(`${base}${field.title.toLowerCase()}:${sample}`) : null
  return after && field.name in after.values ? `${base}${field.title.toLowerCase()}: ` : null
}

/**
 * The sentence with its next value, one text for each possible value: values that begin with the last words, else those of the
 * first field that has none, or the name of that field. Empty if every field has a value, or what is typed is no sentence.
 */
export function completionsOf(unfinished: Unfinished): string[] {
  const { fields, read } = unfinished
  const text = unfinished.text.trimStart()
  const words = text.trimEnd().split(/\s+/)
  const now = read(text)
  for (let count = Math.min(maxPrefixWords, words.length - 1); count > 0; count--) {
    const prefix = words.slice(-count).join(' ')
    const base = text.trimEnd().slice(0, -prefix.length)
    const values = /\S$/.test(text) ? read(base)?.values : undefined
    for (const field of values ? fields.filter(({ name }) => !(name in (values ?? {}))) : []) {
      // Inside of a label only words that are no value themselves: `weekly` is not the end of Bi-weekly.
      const isSaid = field.name in (now?.values ?? {})
      const starts = (said: string) =>
        said.length > prefix.length &&
        (fold(said).startsWith(fold(prefix)) || (!isSaid && ` ${fold(said)}`.includes(` ${fold(prefix)}`)))
      const found = valuesOf(field, unfinished, prefix).filter(starts)
      const texts = found.flatMap((value) => withValue(base, field, value, unfinished) ?? [])
      if (texts.length) return [...new Set(texts)]
    }
  }
  const base = `${text.trimEnd()} `
  const known = read(base)
  for (const field of known && !known.left.length ? fields.filter(({ name }) => !(name in known.values)) : []) {
    const texts = valuesOf(field, unfinished, '').flatMap((value) => withValue(base, field, value, unfinished) ?? [])
    const named = texts.length ? null : withName(base, field, unfinished)
    if (texts.length || named) return named ? [named] : [...new Set(texts)]
  }
  return []
}
