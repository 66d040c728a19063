import { z } from 'zod'

/** Values of every kind that a field may need, the most common first. */
const usual = ['2026-06-15', 'Because', 'ada@example.com', '123456', 'Right-Pass-1', 'INV-40001', true]

/**
 * A value that a schema accepts, with optional fields; every number in it is `id` if that is accepted, so that it refers to that
 * record.
 */
export function rightValue(schema: z.core.$ZodType, id: number | string): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return rightValue(schema._zod.def.innerType, id)
  if (schema instanceof z.ZodPipe) return rightValue(schema._zod.def.in, id)
  if (schema instanceof z.ZodLiteral) return [...schema.values][0]
  if (schema instanceof z.ZodEnum) return schema.options[0]
  if (schema instanceof z.ZodArray) return [rightValue(schema._zod.def.element, id)]
  if (schema instanceof z.ZodRecord) return { [id]: 1 }
  if (schema instanceof z.ZodUnion) return rightValue(schema._zod.def.options[0] as z.core.$ZodType, id)
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, rightValue(field as z.ZodType, id)]))
  return [id, 1, ...usual].find((value) => (schema as z.ZodType).safeParse(value).success)
}
