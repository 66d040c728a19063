import type { z } from 'zod'
import type { Command, FieldMessage } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { type Field, fieldsOf, formOf } from '#kernel/form.ts'
import { activeValues, initialValues, isAsked, type Values } from '#kernel/form-values.ts'
import type { Named } from '#kernel/sentence/arguments.ts'
import { otherThan } from '#kernel/sentence/others.ts'
import { fieldsFor, isReference } from '#kernel/sentence/typed-fields.ts'
import type { Connection } from '#terminal/connection.ts'
import { commands } from '#terminal/registry.ts'
import { hintOf, optionOf, valueIn } from '#terminal/field-values.ts'
import type { Invocation } from '#terminal/invocation.ts'
import { maxOffered, onceKnown, recordsNamed } from '#terminal/named.ts'
import { Stop } from '#terminal/stop.ts'
import type { Streams } from '#terminal/streams.ts'
import { valuesIn } from '#terminal/words.ts'

/** A form with what was typed for it. */
export interface TypedForm {
  schema: z.ZodObject | null
  fields: readonly Field[]
  typed: Values
}

export interface FillOptions {
  connection: Connection
  context: CommandContext
  today: string
  streams: Streams
  target?: unknown
  together?: readonly unknown[] | undefined
}

const lineOf = (fields: readonly Field[], { path, message }: FieldMessage): string => {
  const field = fields.find(({ name }) => name === path.split('.')[0])
  return field ? `${field.title}: ${message} --${optionOf(field)}: ${hintOf(field)}` : message
}

/** Stops with the messages of a form, each with the option that it is about. */
export function stopByMessages(fields: readonly Field[], messages: readonly FieldMessage[]): never {
  const [first = '', ...others] = [...new Set(messages.map((each) => lineOf(fields, each)))]
  throw new Stop('usage', first, others.join('\n') || null, 'validation-failed')
}

/** The values of options, by field. Stops at one that is none of the form's. */
function optionValues(fields: readonly Field[], options: Invocation['options'], today: string): Values {
  const values: Values = {}
  for (const [name, text] of options) {
    const field = fields.find((each) => optionOf(each) === name)
    if (!field) {
      const known = fields.map((each) => `--${optionOf(each)}`).join(', ')
      throw new Stop('usage', `There is no option --${name}.`, known ? `Its options: ${known}` : 'It has no options of its own.')
    }
    values[field.name] = valueIn(field, text, today)
  }
  return values
}

/** Asks for what is required and missing, if there is somebody to ask. */
async function askMissing(fields: readonly Field[], values: Values, options: FillOptions): Promise<void> {
  const { streams, today } = options
  for (const field of fields) {
    if (field.optional || values[field.name] !== undefined || !isAsked(field, values) || !streams.isInteractive) continue
    const answer = await (field.kind === 'secret' ? streams.askHidden : streams.ask)(`${field.title} (${hintOf(field)}): `)
    Object.assign(values, await withRecords([field], { [field.name]: valueIn(field, answer, today) }, options))
  }
}

/** The values in the words of a sentence, behind a record that was named by its id, or by name. Names of records are searched for until each is known; stops if one is ambiguous. */
async function valuesSaid(
  words: readonly string[],
  command: Command,
  { connection, context, today, isByName, ...given }: FillOptions & { isByName: boolean },
) {
  const fields = fieldsFor(command, context, given.target)
  const isAboutRecord = given.target !== undefined || given.together !== undefined
  const several = new Set<Named>()
  const [said, ...others] = await onceKnown(connection, (find) =>
    valuesIn(words, fields, today, {
      find: (field, name) => {
        const named = find(field, name)
        if (named && named.length > 1) for (const each of named) several.add(each)
        return named
      },
      others: isAboutRecord && command.on ? otherThan(command.on, commands, { find, isByName }) : null,
    }),
  )
  if (said && !others.length) return said
  const some = [...several].slice(0, maxOffered).map(({ id, title }) => `${id}  ${title}`)
  throw new Stop(
    'usage',
    'A name is that of several records.',
    [...some, 'Type an id, or name the field: employer:5012'].join('\n'),
  )
}

/** The values of options that name records, with the ids of these. Stops if a name is none, or ambiguous. */
async function withRecords(fields: readonly Field[], values: Values, { connection }: FillOptions): Promise<Values> {
  const resolved = { ...values }
  const idOf = async (field: Field, text: string): Promise<string> => {
    if (/^\d+$/.test(text)) return text
    const named = await recordsNamed(connection, field, text)
    const [one] = named
    if (one && named.length === 1) return one.id
    const some = named.slice(0, maxOffered).map(({ id, title }) => `${id}  ${title}`)
    throw new Stop(
      'usage',
      `${field.title}: ${text} names ${named.length ? 'several records' : 'no record'}.`,
      some.join('\n') || null,
    )
  }
  for (const field of fields.filter(isReference)) {
    const value = values[field.name]
    if (typeof value === 'string') resolved[field.name] = await idOf(field, value)
    if (Array.isArray(value)) resolved[field.name] = await Promise.all(value.map((each) => idOf(field, String(each))))
  }
  return resolved
}

/** The form of a command with the words of a sentence and the options. Stops at what is none of the form's. */
export async function typedForm(
  command: Command,
  { words, options, targets }: Invocation,
  given: FillOptions,
): Promise<TypedForm> {
  const schema = formOf(command, given.context, given.target, given.together)
  const fields = schema ? fieldsOf(schema) : []
  const said = await valuesSaid(words, command, { ...given, isByName: targets?.length === 0 })
  if (said.left.length)
    throw new Stop('usage', `Not understood: ${said.left.join(' ')}`, `See: npm run portal -- ${command.id} --help`)
  const typed = await withRecords(fields, optionValues(fields, options, given.today), given)
  return { schema, fields, typed: { ...said.values, ...typed } }
}

/** The valid parameters of a form: its own initial values, then what was typed. Stops if they are invalid. */
export async function paramsOf(command: Command, { schema, fields, typed }: TypedForm, options: FillOptions): Promise<Values> {
  if (!schema) return {}
  const { context, target, together } = options
  const start = command.form?.start?.(together ? undefined : target, context) as Values | undefined
  const values = initialValues(fields, start, typed)
  await askMissing(fields, values, options)
  return validParams(schema, fields, activeValues(fields, values))
}

/** The parsed values of a form; stops with its messages if they are invalid. */
function validParams(schema: z.ZodObject, fields: readonly Field[], values: Values): Values {
  const parsed = schema.safeParse(values)
  if (parsed.success) return parsed.data
  return stopByMessages(
    fields,
    parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  )
}
