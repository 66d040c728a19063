import { z } from 'zod'
import { type FieldKind, type FieldMeta, fieldMeta, type Options } from '#contract/fields.ts'
import { literalsOf } from '#contract/define.ts'
import { changes, type Command } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'

/** One field of a form, derived from the schema. */
export interface Field extends Omit<FieldMeta, 'kind'> {
  name: string
  kind: FieldKind
  optional: boolean
  options: Options
  /** Default of the schema. */
  initial?: unknown
  /** For rows and tables: the fields of each row. */
  columns: readonly Field[]
  schema: z.ZodType
}

/** A field that can be cleared, but not left out of the body: left empty, it is null. */
const emptyAsNull = (schema: z.ZodType): z.ZodType => (schema instanceof z.ZodNullable ? schema.default(null) : schema)

/** The fields of the only body of a change that a person fills in; null for other commands. */
function bodyFields(command: Command): readonly (readonly [string, z.ZodType])[] | null {
  if (!changes(command) || command.plan || command.does.length !== 1) return null
  const body = command.does[0]?.body as z.ZodObject
  return Object.entries<z.ZodType>(body.shape).filter(([name]) => name !== 'version' && !(name in literalsOf(body)))
}

/** Schema of a command's parameters: its own form, else its intent's body less fixed values and the version. */
export function formOf(
  command: Command,
  context: CommandContext,
  target?: unknown,
  together?: readonly unknown[],
): z.ZodObject | null {
  const schema = command.form?.schema
  if (schema) return typeof schema === 'function' ? schema(context, target, together as never) : schema
  const left = bodyFields(command)
  return left?.length ? z.object(Object.fromEntries(left.map(([name, schema]) => [name, emptyAsNull(schema)]))) : null
}

/** Whether a command shows a form. Builds no schema of a body, since every row of the palette asks. */
export const asksFor = (command: Command, context: CommandContext, target?: unknown): boolean =>
  command.form?.schema ? formOf(command, context, target) !== null : (bodyFields(command) ?? []).length > 0

/** Fields of a form in order. Metadata is found through optional, nullable, default and pipe schemas. */
export function fieldsOf(schema: z.ZodObject): Field[] {
  return Object.entries(schema.shape as Record<string, z.ZodType>)
    .map(([name, field]) => describe(name, field))
    .filter((field) => field.kind !== 'hidden')
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
}

function describe(name: string, schema: z.ZodType): Field {
  let inner: z.ZodType = schema
  let meta = fieldMeta.get(inner)
  let optional = false
  let initial: unknown
  for (;;) {
    const def = inner._zod.def as { type: string; innerType?: z.ZodType; in?: z.ZodType; defaultValue?: unknown }
    if (def.type === 'optional' || def.type === 'nullable' || def.type === 'default') optional = true
    if (def.type === 'default') initial ??= def.defaultValue
    const next = def.innerType ?? (def.type === 'pipe' ? def.in : undefined)
    if (!next) break
    inner = next
    meta ??= fieldMeta.get(inner)
  }
  const values = valuesOf(inner)
  const options = meta?.options ?? values.map((value) => ({ value, label: meta?.labels?.[value] ?? value }))
  return {
    title: name,
    kind: values.length ? 'choice' : 'text',
    ...meta,
    name,
    optional,
    options,
    columns: meta?.kind === 'rows' || meta?.kind === 'table' ? columnsOf(inner, meta.key) : [],
    schema,
    ...(initial == null ? {} : { initial }),
  }
}

function columnsOf(schema: z.ZodType, key: string | undefined): Field[] {
  const { element } = schema._zod.def as { element?: z.ZodObject }
  return element ? fieldsOf(element).filter((column) => column.name !== key) : []
}

function valuesOf(schema: z.ZodType): string[] {
  const def = schema._zod.def as { type: string; entries?: Record<string, string>; element?: z.ZodType }
  if (def.type === 'enum' && def.entries) return Object.values(def.entries)
  return def.type === 'array' && def.element ? valuesOf(def.element) : []
}

/** Steps of a wizard in order of first use; one unnamed step for a plain form. */
export const stepsOf = (fields: readonly Field[]): readonly string[] => [...new Set(fields.map((field) => field.step ?? ''))]
