import { z } from 'zod'
import { fieldMeta } from '#contract/fields.ts'

/**
 * Whether a field is only sent with the request and stored nowhere else: secrets, file contents, and what may be a secret by
 * mistake.
 */
function isUnkept(schema: z.core.$ZodType): boolean {
  const meta = fieldMeta.get(schema as z.ZodType)
  return meta?.kind === 'secret' || meta?.kind === 'file' || meta?.unkept === true
}

/**
 * A value without its fields of kind `secret` or `file`, at every depth; undefined for such a field itself. Everything that
 * stores or shows values uses this.
 */
export function withoutSecrets(schema: z.core.$ZodType, value: unknown): unknown {
  if (!hasSecret(schema)) return value
  if (isUnkept(schema)) return undefined
  const { innerType, in: before } = schema._zod.def as { innerType?: z.core.$ZodType; in?: z.core.$ZodType }
  const inner = innerType ?? before
  if (inner) return withoutSecrets(inner, value)
  if (schema instanceof z.ZodUnion)
    return schema._zod.def.options.reduce<unknown>((left, each) => withoutSecrets(each, left), value)
  if (Array.isArray(value))
    return schema instanceof z.ZodArray ? value.map((item) => withoutSecrets(schema.element, item)) : value
  if (typeof value !== 'object' || value === null) return value
  const fieldOf = (name: string): z.core.$ZodType | undefined =>
    schema instanceof z.ZodObject ? schema.shape[name] : schema instanceof z.ZodRecord ? schema.valueType : undefined
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      const field = fieldOf(name)
      const left = field ? withoutSecrets(field, item) : item
      return left === undefined ? [] : [[name, left]]
    }),
  )
}

/** Cached result per schema: every change on the server needs it several times, and schemas never change. */
const known = new WeakMap<z.core.$ZodType, boolean>()

/** Whether a schema contains a field that must not be stored. */
export function hasSecret(schema: z.core.$ZodType): boolean {
  const has = known.get(schema) ?? findSecret(schema)
  known.set(schema, has)
  return has
}

function findSecret(schema: z.core.$ZodType): boolean {
  if (isUnkept(schema)) return true
  const { innerType, in: before, element, valueType, options = [] } = schema._zod.def as Partial<Below>
  const fields = schema instanceof z.ZodObject ? Object.values(schema.shape as Record<string, z.ZodType>) : []
  return [innerType, before, element, valueType, ...options, ...fields].some((each) => each !== undefined && hasSecret(each))
}

interface Below extends Record<'innerType' | 'in' | 'element' | 'valueType', z.core.$ZodType> {
  options: readonly z.core.$ZodType[]
}
