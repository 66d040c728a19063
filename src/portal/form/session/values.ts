import { withoutSecrets } from '#contract/secrets.ts'
import type { Field } from '#kernel/form.ts'
import { activeValues, isAsked, type Values } from '#kernel/form-values.ts'

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
export const readable = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      isUnread(value) ? [] : [[name, Array.isArray(value) ? value.filter((item) => !unreadIn(item).length) : value]],
    ),
  )

/** The names of the unparsed cells of a line. */
const unreadIn = (item: unknown): string[] =>
  typeof item === 'object' && item !== null ? Object.entries(item).flatMap(([name, cell]) => (isUnread(cell) ? [name] : [])) : []

/** The paths of unparsed amounts, `amount`, `allocations.0.amount`. */
export const unreadPaths = (values: Values): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    isUnread(value)
      ? [name]
      : Array.isArray(value)
        ? value.flatMap((item, at) => unreadIn(item).map((cell) => `${name}.${at}.${cell}`))
        : [],
  )

/** The values that may be stored as a draft: no secrets, and nothing undefined. */
export const draftOf = (fields: readonly Field[], values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const field = fields.find((each) => each.name === name)
      const kept = field && withoutSecrets(field.schema, value)
      return kept === undefined ? [] : [[name, kept]]
    }),
  )

/** Whether a field is visible: one that is not asked for is, if it has a fixed value instead. */
export const isShown = (field: Field, values: Values): boolean => isAsked(field, values) || field.when?.otherwise !== undefined

/** Whether two values of a field are equal. */
export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** The fields whose value differs from the saved one. */
export function changed(fields: readonly Field[], values: Values, saved: Values): Field[] {
  const [now, before] = [activeValues(fields, values), activeValues(fields, saved)]
  return fields.filter(({ name }) => !same(now[name], before[name]))
}

/** The unsaved input for a draft: null for cleared fields, and no secrets. */
export const draftFrom = (fields: readonly Field[], values: Values, saved: Values): Values =>
  draftOf(
    fields,
    Object.fromEntries(fields.flatMap(({ name }) => (same(values[name], saved[name]) ? [] : [[name, values[name] ?? null]]))),
  )

/** The initial values of a page: the saved ones, overridden by a draft. */
export const withDraft = (fields: readonly Field[], saved: Values, draft: Values | null): Values =>
  Object.fromEntries(fields.map(({ name }) => [name, draft && name in draft ? (draft[name] ?? undefined) : saved[name]]))

/** Choices preset by the address, `?kind=TIMEKEEPING`: set, but not saved. */
export const givenIn = (fields: readonly Field[], address: URLSearchParams): Values =>
  Object.fromEntries(
    fields.flatMap(({ name, options }) => {
      const value = address.get(name)
      return options.some((option) => option.value === value) ? [[name, value]] : []
    }),
  )

/** The section headings of a page in order of first appearance. */
export const sectionsOf = (fields: readonly Field[]): string[] => [...new Set(fields.map((field) => field.section ?? ''))]
