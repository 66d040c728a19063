import { z } from 'zod'

type Json = Record<string, unknown>

/** zod schemas as JSON Schema of draft 2020-12, as an OpenAPI document has them; those that have a name stand once. */
export class JsonSchemas {
  /** Those with a name that something refers to. */
  readonly named: Record<string, unknown> = {}
  readonly #names = z.registry<{ id: string }>()

  constructor(names: ReadonlyMap<z.ZodType, string>) {
    for (const [schema, id] of names) this.#names.add(schema, { id })
  }

  /** A schema, or a reference to it where it has a name; what is sent to the API (`input`) stands where it is sent. */
  of(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $schema, $defs, ...made } = z.toJSONSchema(schema, {
      io,
      target: 'draft-2020-12',
      unrepresentable: 'any',
      metadata: io === 'output' ? this.#names : z.registry<Json>(),
      override: ({ jsonSchema }) => withoutRepetition(jsonSchema as Json),
    }) as Json & { $defs?: Json }
    for (const [name, one] of Object.entries($defs ?? {})) this.named[name] ??= referring(one)
    return referring(made) as Json
  }
}

/** What the format of a date says already, and that a number is one that JavaScript can hold, stand at every id and every date. */
function withoutRepetition(schema: Json): void {
  if (schema['format'] === 'date' || schema['format'] === 'date-time') delete schema['pattern']
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum']
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum']
}

/** References to what one schema defines lead to where the document has it. */
function referring(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(referring)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) =>
      key === '$ref' && typeof value === 'string'
        ? [key, value.replace('#/$defs/', '#/components/schemas/')]
        : [key, referring(value)],
    ),
  )
}
