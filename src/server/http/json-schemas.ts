import { z } from 'zod'

type Json = Record<string, unknown>

/** Converts zod schemas to JSON Schema draft 2020-12 for OpenAPI; named schemas appear once, as components. */
export class JsonSchemas {
  /** Named schemas that are referenced. */
  readonly named: Record<string, unknown> = {}
  readonly #names = z.registry<{ id: string }>()

  constructor(names: ReadonlyMap<z.ZodType, string>) {
    for (const [schema, id] of names) this.#names.add(schema, { id })
  }

  /** A schema, or a reference if it has a name; input schemas are always inlined. */
  of(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $schema, $defs, ...made } = z.toJSONSchema(schema, {
      io,
      target: 'draft-2020-12',
      unrepresentable: 'any',
      metadata: io === 'output' ? this.#names : z.registry<Json>(),
      override: ({ jsonSchema }) => dropRedundant(jsonSchema as Json),
    }) as Json & { $defs?: Json }
    for (const [name, one] of Object.entries($defs ?? {})) this.named[name] ??= rewriteReferences(one)
    return rewriteReferences(made) as Json
  }
}

/** Removes patterns implied by the date format, and the bounds of safe integers, which would repeat at every date and id. */
function dropRedundant(schema: Json): void {
  if (schema['format'] === 'date' || schema['format'] === 'date-time') delete schema['pattern']
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum']
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum']
}

/** Rewrites local references to point to the components of the document. */
function rewriteReferences(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(rewriteReferences)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) =>
      key === '$ref' && typeof value === 'string'
        ? [key, value.replace('#/$defs/', '#/components/schemas/')]
        : [key, rewriteReferences(value)],
    ),
  )
}
