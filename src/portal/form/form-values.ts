import { withoutSecrets } from '#contract/secrets.ts'
import type { Problem } from '#contract/problem.ts'
import type { Field } from '#kernel/form.ts'

/** What a form starts with: the schema's own defaults, what the command says, a draft, and what a link names. */
export function initialValues(
  fields: readonly Field[],
  ...layers: readonly (Record<string, unknown> | null | undefined)[]
): Record<string, unknown> {
  const names = new Set(fields.map((field) => field.name))
  const values: Record<string, unknown> = {}
  for (const field of fields) values[field.name] = field.initial ?? emptyOf(field)
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer ?? {})) if (names.has(name) && value !== null) values[name] = value
  }
  return values
}

const emptyOf = ({ kind, optional }: Field): unknown =>
  kind === 'switch' ? false : kind === 'rows' && !optional ? [] : undefined

/**
 * A value as the form library keeps it: of undefined it shows again what the form began with, so that nobody could clear a field.
 * What was cleared is null there, and undefined to everybody else.
 */
export const keptAs = (value: unknown): unknown => (value === undefined ? null : value)

/** What was typed as an amount and is none, kept as it was typed: no schema takes it, and a draft has it again. */
export interface Unread {
  unread: string
}
/** Whether a value is that. */
export const isUnread = (value: unknown): value is Unread => typeof value === 'object' && value !== null && 'unread' in value

/** Without what is typed and is no amount: a line that has such a cell is left out whole. */
export const readable = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      isUnread(value) ? [] : [[name, Array.isArray(value) ? value.filter((item) => !unreadIn(item).length) : value]],
    ),
  )

/** The names of the cells of a line that are no amount. */
const unreadIn = (item: unknown): string[] =>
  typeof item === 'object' && item !== null ? Object.entries(item).flatMap(([name, cell]) => (isUnread(cell) ? [name] : [])) : []

/** The paths of what is typed and is no amount, `amount`, `allocations.0.amount`. */
export const unreadPaths = (values: Record<string, unknown>): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    isUnread(value)
      ? [name]
      : Array.isArray(value)
        ? value.flatMap((item, at) => unreadIn(item).map((cell) => `${name}.${at}.${cell}`))
        : [],
  )

/** What of a form may be kept as a draft: no secrets, and nothing that is undefined. */
export const draftOf = (fields: readonly Field[], values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const field = fields.find((each) => each.name === name)
      const kept = field && withoutSecrets(field.schema, value)
      return kept === undefined ? [] : [[name, kept]]
    }),
  )

/** The messages by field, those of rows by cell (`suggestions.0.amount`), and those that belong to none of them. */
export function serverErrors(
  fields: readonly Field[],
  errors: Problem['errors'],
): { byField: { name: string; message: string }[]; rest: string[] } {
  const known = new Map(fields.map((field) => [field.name, field]))
  const byField: { name: string; message: string }[] = []
  const rest: string[] = []
  for (const { path, message } of errors ?? []) {
    const [name = '', at, cell] = path.replace(/^\/?(body[./])?/, '').split(/[./[]/)
    const field = known.get(name)
    const inRows = field?.columns.some((column) => column.name === cell) && /^\d+$/.test(at ?? '')
    if (field) byField.push({ name: inRows ? `${name}.${at}.${cell}` : name, message })
    else rest.push(message)
  }
  return { byField, rest }
}
