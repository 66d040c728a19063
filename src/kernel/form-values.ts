import type { Field } from '#kernel/form.ts'

/** The values of a form, by field. */
export type Values = Record<string, unknown>

/** A change of a list: the values that it does not name stay as they are. */
export interface ListChange {
  add?: readonly unknown[]
  remove?: readonly unknown[]
}
/** Whether a value is a change of a list. */
export const isListChange = (value: unknown): value is ListChange =>
  typeof value === 'object' && value !== null && ('add' in value || 'remove' in value)

/** A list after a change of it; values are compared as text, since ids are numbers in records. */
function changedList(list: unknown, { add = [], remove = [] }: ListChange): unknown[] {
  const [now, gone] = [Array.isArray(list) ? list : [], remove.map(String)]
  return [...now, ...add.filter((each) => !now.map(String).includes(String(each)))].filter((each) => !gone.includes(String(each)))
}

/** The initial values of a form, in layers: the defaults of the schema, the command's, a draft, and those of a link. */
export function initialValues(fields: readonly Field[], ...layers: readonly (Values | null | undefined)[]): Values {
  const names = new Set(fields.map((field) => field.name))
  const values: Values = {}
  for (const field of fields) values[field.name] = field.initial ?? emptyOf(field)
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer ?? {}))
      if (names.has(name) && value !== null) values[name] = isListChange(value) ? changedList(values[name], value) : value
  }
  return values
}

const emptyOf = ({ kind, optional }: Field): unknown =>
  kind === 'switch' ? false : kind === 'rows' && !optional ? [] : undefined

/** Whether a field is asked for, given the other values. */
export function isAsked({ when }: Pick<Field, 'when'>, values: Values): boolean {
  if (!when) return true
  const value = values[when.field]
  if (when.in) return when.in.includes(value)
  return when.has === undefined ? value === when.is : Array.isArray(value) && value.includes(when.has)
}

/** The effective values: a field that is not asked for has its `otherwise` value, or none. */
export const activeValues = (fields: readonly Field[], values: Values): Values =>
  Object.fromEntries(
    fields.map((field) => [field.name, isAsked(field, values) ? (values[field.name] ?? undefined) : field.when?.otherwise]),
  )
