import { withoutSecrets } from '#contract/secrets.ts'
import type { Problem } from '#contract/problem.ts'
import type { Field } from '#kernel/form.ts'

/** The initial values of a form, in layers: the defaults of the schema, the command's, a draft, and those of a link. */
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
 * A value as stored in the form library: for undefined it falls back to the default value, so that a field could not be cleared.
 * A cleared field is null there, and undefined everywhere else.
 */
export const keptAs = (value: unknown): unknown => (value === undefined ? null : value)

/** Text typed as an amount that cannot be parsed, stored as typed: every schema rejects it, and a draft restores it. */
export interface UnparsedAmount {
  unread: string
}
/** Whether a value is such a text. */
export const isUnread = (value: unknown): value is UnparsedAmount =>
  typeof value === 'object' && value !== null && 'unread' in value

/** The values without unparsed amounts: a line with such a cell is left out as a whole. */
export const readable = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      isUnread(value) ? [] : [[name, Array.isArray(value) ? value.filter((item) => !unreadIn(item).length) : value]],
    ),
  )

/** The names of the unparsed cells of a line. */
const unreadIn = (item: unknown): string[] =>
  typeof item === 'object' && item !== null ? Object.entries(item).flatMap(([name, cell]) => (isUnread(cell) ? [name] : [])) : []

/** The paths of unparsed amounts, `amount`, `allocations.0.amount`. */
export const unreadPaths = (values: Record<string, unknown>): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    isUnread(value)
      ? [name]
      : Array.isArray(value)
        ? value.flatMap((item, at) => unreadIn(item).map((cell) => `${name}.${at}.${cell}`))
        : [],
  )

/** The values that may be stored as a draft: no secrets, and nothing undefined. */
export const draftOf = (fields: readonly Field[], values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const field = fields.find((each) => each.name === name)
      const kept = field && withoutSecrets(field.schema, value)
      return kept === undefined ? [] : [[name, kept]]
    }),
  )

/** Server errors by field, those of rows by cell (`suggestions.0.amount`), and the rest. */
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
