import { changes, type Command } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { type Field, fieldsOf, formOf } from '#kernel/form.ts'
import type { HistoryEntry } from '#kernel/history.ts'

type Values = Record<string, unknown>

/** Kinds with which a person decides something that may hold for the next record as well. */
const decisions: readonly Field['kind'][] = ['choice', 'switch', 'date', 'date-range', 'reference']

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** The line of text that says why: the only required one. Other lines are names, codes and bank texts of one record. */
function reasonOf(fields: readonly Field[]): Field | undefined {
  const lines = fields.filter(({ kind, optional, unkept }) => kind === 'text' && !optional && !unkept)
  return lines.length === 1 ? lines[0] : undefined
}

/**
 * The values of a command that was run, for its form on another record: reasons, notes, and decisions of the person that differ
 * from what the form started with. Amounts, codes, names, sets, rows, files and secrets belong to the record and are left out,
 * as is everything that the form takes from the next record.
 */
export function repeatedValues(
  command: Command,
  { params, before, rows }: Pick<HistoryEntry, 'params' | 'before' | 'rows'>,
  context: CommandContext,
  target?: unknown,
): Values {
  const schema = formOf(command, context, target)
  if (!schema) return {}
  const fields = fieldsOf(schema)
  const startOf = (one: unknown): Values => (command.form?.start?.(one, context) ?? {}) as Values
  const [was, next] = [startOf(before ?? rows?.[0]?.before), startOf(target)]
  const reason = reasonOf(fields)
  const isRepeated = (field: Field): boolean => {
    const { name, kind, initial, unkept } = field
    if (field.repeats !== undefined) return field.repeats
    if (decisions.includes(kind)) return !same(params[name], was[name] ?? initial)
    const isText = (kind === 'long-text' && !unkept) || field === reason
    return isText && command.on !== undefined && isEmpty(was[name]) && isEmpty(next[name])
  }
  const given = fields.filter((field) => !isEmpty(params[field.name]) && isRepeated(field))
  return Object.fromEntries(given.map(({ name }) => [name, params[name]]))
}

/** Why an entry of the history cannot be repeated at all; null if it can. */
export function whyNotRepeated(command: Command | undefined, { title }: Pick<HistoryEntry, 'title'>): string | null {
  if (command && changes(command)) return null
  return `${title} has a page of its own: it is not repeated.`
}
