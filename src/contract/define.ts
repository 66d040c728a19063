import type { z } from 'zod'
import type { Amounts } from '#domain/amounts.ts'
import { byIntent, type Need } from '#domain/permissions.ts'
import type { Refusal } from '#domain/refusal.ts'
import { withWholeRanges } from '#contract/date-range.ts'
import { byId, nothing, versionParam } from '#contract/fields.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Shape = z.ZodObject

/** One call of the admin API as data: client, server, OpenAPI document and tests are derived from it. */
export interface Endpoint<Params extends Shape = Shape, Query extends Shape = Shape, Answer extends z.ZodType = z.ZodType> {
  readonly kind: 'endpoint'
  readonly method: Method
  /** Relative to the base address, kebab-case, parameters in braces: `/employees/{id}`. */
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly params: Params
  readonly query: Query
  readonly answer: Answer
  /** Who may call it; `byIntent` if each of its intents defines that. */
  readonly needs: Need<never>
  /** Schema of the body; undefined for a GET. */
  readonly body?: z.ZodType
  /** True for additions to the specification (docs/rules/api.md). */
  readonly extension: boolean
  /** Query parameters in the specification; the others are extensions. */
  readonly specified: readonly string[]
  /**
   * For lists without pagination: by query parameter, whether a row matches its value. If an API does not support a parameter,
   * the client filters the answer itself.
   */
  readonly picks: Readonly<Record<string, ((row: never, value: string) => boolean) | undefined>>
  /** Fields of the body that the specification sends as headers of the same name. */
  readonly headers: readonly string[]
  /**
   * Fields of the body that the specification sends as query parameters, `organization_id` as `organization-id`. The server
   * also accepts them in the body.
   */
  readonly parameters: readonly string[]
  /** False for calls that a page makes automatically: they do not extend a session (docs/rules/sign-in.md). */
  readonly activity: boolean
  /** True for a change of money: it needs an Idempotency-Key and the versions of the records it touches (docs/rules/api.md). */
  readonly money: boolean
  /** Status code of a successful answer. */
  readonly status: 200 | 201 | 202 | 204
  /** Maximum size of its body in bytes, if it carries a file; undefined for the general maximum. */
  readonly largest?: number | undefined
}

/** The data of a call without its schemas. */
export type CallHead = Pick<Endpoint, 'method' | 'path' | 'needs' | 'extension'> & Partial<Pick<Endpoint, 'specified' | 'picks'>>

interface EndpointInput<Path, Params, Query extends Shape, Answer> {
  method: Method
  path: Path
  summary: string
  tag: string
  /** By default an id if the path has a parameter. */
  params?: Params
  /** Nothing by default. */
  query?: Query
  answer: Answer
  needs: Need<never>
  body?: z.ZodType
  extension?: boolean
  specified?: readonly (keyof z.input<Query> & string)[]
  picks?: Readonly<Partial<Record<keyof z.input<Query> & string, (row: never, value: string) => boolean>>>
  headers?: readonly string[]
  parameters?: readonly string[]
  activity?: boolean
  money?: boolean
  status?: 200 | 201 | 202 | 204
  largest?: number
}

type ParamsAt<Path> = Path extends `${string}{${string}` ? typeof byId : typeof nothing

/** Declares an endpoint. */
export const endpoint = <
  const Path extends string,
  Answer extends z.ZodType,
  Params extends Shape = ParamsAt<Path>,
  Query extends Shape = typeof nothing,
  Body extends z.ZodType | undefined = undefined,
>(
  input: EndpointInput<Path, Params, Query, Answer> & { body?: Body },
): Endpoint<Params, Query, Answer> & { readonly body: Body } => ({
  kind: 'endpoint',
  extension: false,
  specified: [],
  picks: {},
  headers: [],
  parameters: [],
  activity: true,
  money: false,
  status: 200,
  ...input,
  params: (input.params ?? (input.path.includes('{') ? byId : nothing)) as Params,
  query: withWholeRanges((input.query ?? nothing) as Query),
  body: input.body as Body & z.ZodType,
})

// biome-ignore lint/suspicious/noExplicitAny: any endpoint or intent, where none of its types is read
export type AnyEndpoint = Endpoint<any, any, any>

export type ParamsOf<E> = E extends Endpoint<infer Params, Shape, z.ZodType> ? z.output<Params> : never
/** Input of the path parameters: an id as in a row, or as text. */
export type ParamsInputOf<E> = E extends Endpoint<infer Params, Shape, z.ZodType> ? z.input<Params> : never
export type QueryOf<E> = E extends Endpoint<Shape, infer Query, z.ZodType> ? z.output<Query> : never
export type AnswerOf<E> = E extends Endpoint<Shape, Shape, infer Answer> ? z.output<Answer> : never

/** Path parameters of a call by name: an id as in a row of the API, or as text. */
export type At = Readonly<Record<string, string | number>>

/** One write, ready to be sent: the intent, the path parameters, and the body. */
export interface Call<Answer = unknown> {
  readonly intent: AnyIntent
  /** Ids are text here; their type in the API follows from the schema of the endpoint. */
  readonly at: Readonly<Record<string, string>>
  readonly body: Record<string, unknown>
  /** Phantom property for the type of the answer. */
  readonly answer?: Answer
}

/** Excludes the literal fields of a body (`status: 'PAUSED'`), which distinguish the intents of an endpoint. */
type Typed<Body extends Shape> = Omit<z.input<Body>, LiteralKeys<Body>>
type LiteralKeys<Body extends Shape> = {
  [Key in keyof Body['shape']]: Body['shape'][Key] extends z.ZodLiteral ? Key : never
}[keyof Body['shape']]

/** One row to restore: its id, and its version after the change. */
export interface Undoing {
  id: string
  version: number
}

/**
 * A read that is checked before a change. `afterwards` answers the same for a row on which another change, which this one will
 * undo, has yet to be made.
 */
interface Checked {
  endpoint: AnyEndpoint
  refuses: (answer: never) => Refusal | null
  afterwards?: (answer: never, before: never) => Refusal | null
}

/** One meaning of a call: its own body, permission, and refusals. Enforced by the server, used by commands. */
export interface Intent<E extends AnyEndpoint = AnyEndpoint, Body extends Shape = Shape, Subject = never> {
  (at: ParamsInputOf<E>, body: Typed<Body>): Call<AnswerOf<E>>
  readonly kind: 'intent'
  readonly id: string
  readonly endpoint: E
  readonly body: Body
  readonly needs: Need<Subject>
  /** The rule, checked by the palette on the row it has and by the server on the row it locked. */
  readonly refuses: (subject: Subject) => Refusal | null
  /** A read that is checked first: by the portal before its form, by the server in its transaction. */
  readonly checkedBy?: Checked
  /** Message for a stale version if the general one is not specific enough; from the current record. */
  readonly stale?: (subject: Subject) => string
  /** The amounts of one row for a body, or why the body is invalid for it: validated and summed before a bulk run. */
  readonly amounts?: (subject: never, body: never) => Amounts | Refusal
  /** The call that undoes it in one row, which was `before` according to the audit; null if it cannot be undone. */
  readonly undo?: (row: Undoing, before: never) => Call | null
  /** Why it cannot be undone if `undo` returns null, for people. */
  readonly noUndo?: string
  /** What undoing needs, if that differs from `needs`: undo is only offered to callers who may do both. */
  readonly undoNeeds?: Need
  /** Its event on the record, as in the history: `Paused`. */
  readonly event: string
  /** The fields fixed by literals of the body. */
  readonly fixed: Readonly<Record<string, unknown>>
}

/** Any intent, where none of its types is read. */
export interface AnyIntent extends Pick<Intent, 'kind' | 'id' | 'event' | 'fixed' | 'checkedBy' | 'undoNeeds' | 'noUndo'> {
  // biome-ignore lint/suspicious/noExplicitAny: see AnyEndpoint
  (at: any, body: any): Call<any>
  readonly endpoint: AnyEndpoint
  // biome-ignore lint/suspicious/noExplicitAny: see AnyEndpoint
  readonly body: z.ZodObject<any>
  // biome-ignore lint/suspicious/noExplicitAny: see AnyEndpoint
  readonly needs: Need<any>
  // A method, so that an intent without a rule of its own is assignable, too.
  // biome-ignore lint/suspicious/noExplicitAny: see AnyEndpoint
  refuses(subject: any): Refusal | null
  // biome-ignore lint/suspicious/noExplicitAny: see AnyEndpoint
  stale?(subject: any): string
  // biome-ignore lint/suspicious/noExplicitAny: see AnyEndpoint
  amounts?(subject: any, body: any): Amounts | Refusal
  // biome-ignore lint/suspicious/noExplicitAny: see AnyEndpoint
  undo?(row: Undoing, before: any): Call | null
}

interface IntentInput<Body, Subject> {
  id: string
  body: Body
  needs: Need<Subject>
  event: string
  refuses?: (subject: Subject) => Refusal | null
  stale?: (subject: Subject) => string
  amounts?: (subject: never, body: never) => Amounts | Refusal
  undo?: (row: Undoing, before: never) => Call | null
  noUndo?: string
  undoNeeds?: Need
  checkedBy?: Checked
}

const declared = new Map<string, AnyIntent>()

/** An intent by its id, among the loaded modules. */
export const intentById = (id: string): AnyIntent | undefined => declared.get(id)

/** Declares one meaning of an endpoint. Calling the intent creates a `Call` with the literal fields filled in. */
export function intent<E extends AnyEndpoint, Body extends Shape, Subject>(
  on: E,
  input: IntentInput<Body, Subject>,
): Intent<E, Body, Subject> {
  const fixed = literalsOf(input.body)
  const call = (at: At, body: Record<string, unknown>): Call => ({
    intent: made as unknown as AnyIntent,
    at: inText(at),
    body: { ...fixed, ...body },
  })
  const { refuses = () => null } = input
  const made = Object.assign(call, { kind: 'intent', ...input, refuses, endpoint: on, fixed }) as unknown as Intent<
    E,
    Body,
    Subject
  >
  declared.set(input.id, made as unknown as AnyIntent)
  return made
}

/** Declares a call with a single meaning: its endpoint and its intent in one. A DELETE has its version as a parameter. */
export function action<
  const Path extends string,
  Answer extends z.ZodType,
  Body extends Shape,
  Subject,
  Params extends Shape = ParamsAt<Path>,
  Query extends Shape = typeof nothing,
>(
  input: Omit<EndpointInput<Path, Params, Query, Answer>, 'needs' | 'body' | 'picks' | 'activity'> & IntentInput<Body, Subject>,
): Intent<Endpoint<Params, Query, Answer>, Body, Subject> {
  const { id, body, needs, event, refuses, stale, amounts, undo, noUndo, undoNeeds, checkedBy, ...call } = input
  const versioned = call.method === 'DELETE' && 'version' in body.shape
  return intent(endpoint({ query: (versioned ? versionParam : nothing) as Shape as Query, ...call, needs: byIntent }), {
    ...{ id, body, needs, event, refuses, stale, amounts, undo, noUndo, undoNeeds, checkedBy },
  })
}

/**
 * The body that the API accepts for an intent. `version` is optional for the calls of section 7, whose bodies have none; a
 * change of money needs it (docs/rules/api.md).
 */
export function acceptedBody({ endpoint, body }: AnyIntent): z.ZodObject {
  const { version } = body.shape as Record<string, z.ZodType | undefined>
  return version && !endpoint.extension && !endpoint.money ? body.extend({ version: version.optional() }) : body
}

/** The fields of a body schema that allow only one value. */
export function literalsOf(body: Shape): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(body.shape)) {
    const { type, values } = (schema as z.ZodType)._zod.def as { type: string; values?: unknown[] }
    if (type === 'literal' && values?.length === 1) found[name] = values[0]
  }
  return found
}

/**
 * Which of an endpoint's intents a body matches: the one whose literal fields are all equal. Without any field that the literals
 * of the others decide, it is the intent without literals that has most of its fields, the first of several. Undefined if none
 * matches.
 */
export function intentOf(intents: readonly AnyIntent[], body: unknown): AnyIntent | undefined {
  const given = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const telling = intents.flatMap(({ fixed }) => Object.keys(fixed))
  const fixed = intents.find((candidate) => {
    const literals = Object.entries(candidate.fixed)
    return literals.length > 0 && literals.every(([name, value]) => given[name] === value)
  })
  if (fixed || telling.some((name) => name in given)) return fixed
  const known = ({ body: { shape } }: AnyIntent) => Object.keys(given).filter((name) => name in shape).length
  return intents
    .filter((candidate) => Object.keys(candidate.fixed).length === 0)
    .reduce<AnyIntent | undefined>((best, each) => (best && known(best) >= known(each) ? best : each), undefined)
}

const inText = (at: At): Record<string, string> =>
  Object.fromEntries(Object.entries(at).map(([name, value]) => [name, String(value)]))

/** The query parameter of a body field: `organization-id` for `organization_id`. */
export const parameterOf = (field: string): string => field.replaceAll('_', '-')

/** Splits a body into what is sent where: the version of a DELETE as a parameter, and the endpoint's parameters and headers. */
export function carried(
  { headers: names, parameters, query }: AnyEndpoint,
  given: Readonly<Record<string, unknown>>,
): { body: Record<string, unknown>; query: Record<string, string>; headers: Record<string, string> } {
  const fields = Object.entries(given).filter(([, value]) => value !== undefined)
  const asText = (wanted: (name: string) => boolean, as = (name: string) => name) =>
    Object.fromEntries(fields.filter(([name]) => wanted(name)).map(([name, value]) => [as(name), String(value)]))
  const inQuery = (name: string) => (name === 'version' && name in query.shape) || parameters.includes(name)
  const inHeader = (name: string) => names.includes(name)
  return {
    body: Object.fromEntries(fields.filter(([name]) => !inQuery(name) && !inHeader(name))),
    query: asText(inQuery, parameterOf),
    headers: asText(inHeader),
  }
}

/** `/employees/{id}` with the parameters filled in and encoded. */
export const fill = (path: string, at: At): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = at[name]
    if (value === undefined) throw new Error(`The path ${path} needs ${name}.`)
    return encodeURIComponent(String(value))
  })

/** The path parameters of a call about one record. */
export const atId = (endpoint: AnyEndpoint, id: string): Record<string, string> => {
  const [name] = Object.keys(endpoint.params.shape)
  return name ? { [name]: id } : {}
}

/** Everything that the modules of the contract declare, found by their exports. */
export function collect(modules: Iterable<Record<string, unknown>>): { endpoints: AnyEndpoint[]; intents: AnyIntent[] } {
  const endpoints = new Set<AnyEndpoint>()
  const intents = new Set<AnyIntent>()
  for (const module of modules) {
    for (const value of Object.values(module)) {
      const kind = (value as { kind?: unknown } | null | undefined)?.kind
      if (kind === 'endpoint') endpoints.add(value as AnyEndpoint)
      if (kind === 'intent') {
        intents.add(value as AnyIntent)
        endpoints.add((value as AnyIntent).endpoint)
      }
    }
  }
  return { endpoints: [...endpoints], intents: [...intents] }
}
