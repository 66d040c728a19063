import type { Command } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { fold } from '#kernel/fold.ts'
import { type Field, fieldsOf, formOf } from '#kernel/form.ts'
import type { Values } from '#kernel/form-values.ts'

/** Fields that one line of text gives a value to. The others are filled in on the form: rows, tables, files, secrets. */
export const typable: ReadonlySet<string> = new Set([
  ...['text', 'long-text', 'e-mail', 'code', 'integer', 'money', 'percentage', 'date', 'switch', 'choice', 'choices'],
  ...['reference', 'references'],
])
/** A field of a command's form, with the value for its record that `in full` stands for, and that `by 7 days` is counted from. */
export interface SentenceField extends Field {
  base?: unknown
}

/** Whether a field takes any text. */
export const isText = ({ kind }: Pick<Field, 'kind'>): boolean => kind === 'text' || kind === 'long-text'

/**
 * The field that takes the text at the end of a sentence: the only required one of text, or if none is required the first of
 * several lines. Of several required ones it is the name, if there is one; of first and last name, none: which part belongs to
 * which would be a guess. In a wizard only texts of the first step count.
 */
export function mainText(fields: readonly Field[]): Field | undefined {
  const step = fields[0]?.step
  const texts = fields.filter((field) => isText(field) && field.options.length === 0 && !field.when && field.step === step)
  const required = texts.filter(({ optional }) => !optional)
  if (required.length === 0) return texts.find(({ kind }) => kind === 'long-text')
  return required.length === 1 ? required[0] : required.find(({ title }) => title === 'Name')
}

/** Whether a field refers to other records. */
export const isReference = ({ kind }: Pick<Field, 'kind'>): boolean => kind === 'reference' || kind === 'references'

/** The fields of a command's form, if it has one: those of the step that it opens at come first, and so take words first. */
export function fieldsFor(command: Command, context: CommandContext, target?: unknown): SentenceField[] {
  const form = formOf(command, context, target)
  const { start, full } = command.form ?? {}
  const known: Values = target === undefined ? {} : { ...start?.(target, context), ...full?.(target) }
  const fields = (form ? fieldsOf(form) : []).map((field) => ({ ...field, base: known[field.name] }))
  const step = command.form?.firstStep
  const isFirst = (field: Field) => field.step === step
  return step === undefined ? fields : [...fields.filter(isFirst), ...fields.filter((field) => !isFirst(field))]
}

/** Minimum number of letters of an unfinished name of a field. */
const minLetters = 3

/** The field of `name:value`: by its title or its name in the API, whole or unfinished, in which case only one may match. */
export function fieldNamed(name: string, fields: readonly Field[]): Field | undefined {
  const plain = (text: string) => fold(text).replaceAll(' ', '')
  const typed = plain(name)
  const whole = fields.find((field) => [plain(field.title), plain(field.name)].includes(typed))
  const begins = (some: readonly string[]) => some.some((each) => each.startsWith(typed))
  const unfinished = fields.filter((field) => begins([plain(field.title), plain(field.name)]))
  // `date:` where only one field is a date: `Repayment date`.
  const within = unfinished.length ? unfinished : fields.filter(({ title }) => begins(fold(title).split(' ')))
  return whole ?? (typed.length >= minLetters && within.length === 1 ? within[0] : undefined)
}

/** Words before the name of a field. */
export const beforeTitle = /^(?:and|at|for|with)$/i
/** The kinds of fields whose values are numbers. */
export const numeric: ReadonlySet<string> = new Set(['money', 'percentage', 'integer', 'date'])

/** The field that words name without a colon: by its title or its name in the API, or a number by the last word of its title. */
export function fieldTitled(words: string, fields: readonly Field[]): Field | undefined {
  const typed = fold(words)
  const whole = fields.find(({ title, name }) => [fold(title), fold(name)].includes(typed))
  const ending = fields.filter(({ title, kind }) => numeric.has(kind) && fold(title).endsWith(` ${typed}`))
  return whole ?? (ending.length === 1 ? ending[0] : undefined)
}
