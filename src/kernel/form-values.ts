import type { Field } from '#kernel/form.ts'

/** The values of a form, by field. */
export type Values = Record<string, unknown>

/** The initial values of a form, in layers: the defaults of the schema, the command's, a draft, and those of a link. */
export function initialValues(fields: readonly Field[], ...layers: readonly (Values | null | undefined)[]): Values {
  const names = new Set(fields.map((field) => field.name))
  const values: Values = {}
  for (const field of fields) values[field.name] = field.initial ?? emptyOf(field)
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer ?? {})) if (names.has(name) && value !== null) values[name] = value
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
