import type { z } from 'zod'
import type { Command, FieldMessage } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { type Field, fieldsOf, formOf } from '#kernel/form.ts'
import { activeValues, initialValues, isAsked, type Values } from '#kernel/form-values.ts'
import { hintOf, optionOf, valueIn } from '#terminal/field-values.ts'
import type { Invocation } from '#terminal/invocation.ts'
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
export function optionValues(fields: readonly Field[], options: Invocation['options'], today: string): Values {
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
async function askMissing(fields: readonly Field[], values: Values, { streams, today }: FillOptions): Promise<void> {
  for (const field of fields) {
    if (field.optional || values[field.name] !== undefined || !isAsked(field, values) || !streams.isInteractive) continue
    const answer = await (field.kind === 'secret' ? streams.askHidden : streams.ask)(`${field.title} (${hintOf(field)}): `)
    values[field.name] = valueIn(field, answer, today)
  }
}

/** The form of a command with the words of a sentence and the options. Stops at what is none of the form's. */
export function typedForm(command: Command, { words, options }: Invocation, given: FillOptions): TypedForm {
  const schema = formOf(command, given.context, given.target, given.together)
  const fields = schema ? fieldsOf(schema) : []
  const said = valuesIn(words, fields, given.today)
  if (said.left.length)
    throw new Stop('usage', `Not understood: ${said.left.join(' ')}`, `See: npm run portal -- ${command.id} --help`)
  return { schema, fields, typed: { ...said.values, ...optionValues(fields, options, given.today) } }
}

/** The valid parameters of a form: its own initial values, then what was typed. Stops if they are invalid. */
export async function paramsOf(command: Command, { schema, fields, typed }: TypedForm, options: FillOptions): Promise<Values> {
  if (!schema) return {}
  const { context, target, together } = options
  const start = command.form?.start?.(together ? undefined : target, context) as Values | undefined
  const values = { ...initialValues(fields, start), ...typed }
  await askMissing(fields, values, options)
  return validParams(schema, fields, activeValues(fields, values))
}

/** The parsed values of a form; stops with its messages if they are invalid. */
export function validParams(schema: z.ZodObject, fields: readonly Field[], values: Values): Values {
  const parsed = schema.safeParse(values)
  if (parsed.success) return parsed.data
  return stopByMessages(
    fields,
    parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  )
}
