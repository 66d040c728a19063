import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { withoutSecrets } from '#contract/secrets.ts'
import { permissionIds, permissionNames } from '#domain/permissions.ts'
import type { Field } from '#kernel/form.ts'
import { fold } from '#kernel/fold.ts'
import { type AmountText, integerText, moneyText, percentageText } from '#portal/format/amount-text.ts'
import { dateOf } from '#portal/format/date-words.ts'
import { entityByName } from '#terminal/registry.ts'
import { Stop } from '#terminal/stop.ts'

/** The option of a field: `--repayment-date`. */
export const optionOf = ({ name }: Pick<Field, 'name'>): string => name.replaceAll('_', '-')

const numbers: Partial<Record<Field['kind'], AmountText>> = { money: moneyText, percentage: percentageText, integer: integerText }

/** How a value of a field is typed, for the help. */
export function hintOf(field: Field): string {
  switch (field.kind) {
    case 'money':
      return 'amount, 250.00'
    case 'percentage':
      return 'percentage, 12.5'
    case 'integer':
      return 'whole number'
    case 'date':
      return 'date, 2026-11-20 or today'
    case 'switch':
      return 'yes or no'
    case 'choice':
    case 'choices':
      return `${field.kind === 'choice' ? 'one' : 'some'} of ${field.options.map(({ value, label }) => (fold(value) === fold(label) ? value : `${value} (${label})`)).join(', ') || 'what the server lists'}`
    case 'reference':
      return `${entityByName(field.entity ?? '').one}, by id or name`
    case 'references':
      return `${entityByName(field.entity ?? '').many}, by id or name, separated by commas`
    case 'permissions':
      return 'permissions, separated by commas: read:billing'
    case 'chips':
      return 'texts, separated by commas'
    case 'rows':
    case 'table':
      return `JSON, [{${field.columns.map(({ name }) => `"${name}": …`).join(', ')}}]`
    case 'file':
      return `path of a file${field.accept ? ` (${field.accept.join(', ')})` : ''}`
    case 'secret':
      return '@path of a file with it; asked for if omitted'
    default:
      return field.lines ? 'text, or @path of a file' : 'text'
  }
}

function fileContent(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new Stop('usage', `${path} could not be read.`, (error as Error).message)
  }
}

const commas = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** The value of the option that a text names, by value or label; the text itself if it names none, which the schema refuses. */
const choiceIn = ({ options }: Field, text: string): string =>
  options.find(({ value, label }) => [fold(value), fold(label)].includes(fold(text)))?.value ?? text

const permissionIn = (text: string): number | string => permissionIds.find((id) => permissionNames[id] === text) ?? text

/**
 * The value of a field from the text of its option: cents, basis points, ISO dates, values of choices. A text that is none stays
 * as it is: the schema refuses it with the sentence of the form. Empty is no value.
 */
export function valueIn(field: Field, text: string, today: string): unknown {
  if (text === '') return undefined
  const { kind } = field
  const number = numbers[kind]
  if (number) return number.parse(text) ?? text
  switch (kind) {
    case 'date':
      return dateOf(text, today, field.past) ?? text
    case 'switch':
      return /^(yes|on|true)$/i.test(text) ? true : /^(no|off|false)$/i.test(text) ? false : text
    case 'choice':
      return choiceIn(field, text)
    case 'choices':
      return commas(text).map((part) => choiceIn(field, part))
    case 'reference':
      return entityByName(field.entity ?? '').ids.read(text) ?? text
    case 'references':
      return commas(text).map((part) => entityByName(field.entity ?? '').ids.read(part) ?? part)
    case 'permissions':
      return commas(text).map(permissionIn)
    case 'chips':
      return commas(text)
    case 'rows':
    case 'table':
    case 'date-range':
      try {
        return JSON.parse(text)
      } catch {
        throw new Stop('usage', `${field.title}: this is no JSON.`, `--${optionOf(field)}: ${hintOf(field)}`)
      }
    case 'file':
      return { name: basename(text), content: fileContent(text).toString('base64') }
    default:
      return (kind === 'secret' || field.lines) && text.startsWith('@')
        ? fileContent(text.slice(1)).toString('utf8').trimEnd()
        : text
  }
}

/** A body as it may be shown: without secrets and contents of files. */
export const shownBody = (schema: Field['schema'], body: unknown): unknown => withoutSecrets(schema, body)
