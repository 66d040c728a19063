import { z } from 'zod'

/**
 * A schema that refuses unknown fields at every depth: in rows, in records, behind optional and default. A misspelt field is
 * reported, not ignored.
 */
export function strictly<S extends z.ZodType>(schema: S): S {
  return deeply(schema) as S
}

function deeply(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, deeply(field)]))
    return schema.clone({ ...schema.def, shape: shape as typeof schema.shape, catchall: z.never() })
  }
  if (schema instanceof z.ZodArray) return schema.clone({ ...schema.def, element: deeply(schema.def.element) })
  if (schema instanceof z.ZodRecord) return schema.clone({ ...schema.def, valueType: deeply(schema.def.valueType) })
  if (schema instanceof z.ZodUnion) return schema.clone({ ...schema.def, options: schema.def.options.map(deeply) })
  if (schema instanceof z.ZodPipe) return schema.clone({ ...schema.def, in: deeply(schema.def.in) })
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return schema.clone({ ...schema.def, innerType: deeply(schema.def.innerType) } as never)
  return schema
}
