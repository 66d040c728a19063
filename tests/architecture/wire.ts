import type { ZodType } from 'zod'
import type { AnyEndpoint, AnyIntent } from '#contract/define.ts'
import type { AnyRoute } from '#server/http/route.ts'

const name = ({ method, path }: AnyEndpoint): string => `${method} ${path}`

/** Intents that only affect the person who sends them. */
const own = new Set(['views.save', 'session.end', 'session.end-others'])

/** Intents without a required permission. */
export const unguarded = (intents: readonly AnyIntent[]): string[] =>
  intents
    .filter(
      ({ id, needs }) =>
        !(own.has(id) && needs.kind === 'signed-in') && !['all', 'any', 'by-target', 'as-entity'].includes(needs.kind),
    )
    .map(({ id }) => `${id} needs no permission`)

/** Whether a body of the one always has a field that the other does not have. */
const hasOwnField = ({ body }: AnyIntent, other: AnyIntent): boolean =>
  Object.entries(body.shape).some(
    ([name, schema]) => !(name in other.body.shape) && !(schema as ZodType).safeParse(undefined).success,
  )

/**
 * Whether one body could be that of both: no literal field has two values, and not one of them only goes without literal fields.
 * Without any, each needs a required field of its own.
 */
function isAmbiguous(one: AnyIntent, other: AnyIntent): boolean {
  const [names, others] = [Object.keys(one.fixed), Object.keys(other.fixed)]
  if (names.length === 0 && others.length === 0) return !(hasOwnField(one, other) && hasOwnField(other, one))
  if (names.length === 0 || others.length === 0) return false
  return !names.some((name) => name in other.fixed && one.fixed[name] !== other.fixed[name])
}

/** Pairs of intents of one endpoint that a body cannot tell apart: the server would carry out whichever is declared first. */
export const ambiguous = (intents: readonly AnyIntent[]): string[] =>
  intents.flatMap((one, at) =>
    intents
      .slice(at + 1)
      .filter((other) => other.endpoint === one.endpoint && isAmbiguous(one, other))
      .map((other) => `${one.id} and ${other.id} cannot be told apart`),
  )

/**
 * Endpoints that delegate their permissions to intents but have none, and endpoints with intents that declare permissions
 * themselves.
 */
export const mismatchedByIntent = (endpoints: readonly AnyEndpoint[], intents: readonly AnyIntent[]): string[] =>
  endpoints
    .filter((each) => (each.needs.kind === 'by-intent') !== intents.some((intent) => intent.endpoint === each))
    .map((each) => `${name(each)} ${each.needs.kind === 'by-intent' ? 'has no intents' : 'has intents that say what they need'}`)

/** Endpoints and intents without exactly one handler, and handlers of unknown endpoints. */
export function unhandled(
  endpoints: readonly AnyEndpoint[],
  intents: readonly AnyIntent[],
  routes: readonly AnyRoute[],
): string[] {
  const handlers = (endpoint: AnyEndpoint) => routes.filter((route) => route.endpoint === endpoint)
  const carried = routes.flatMap((route) => ('intents' in route ? route.intents.map((each) => each.intent) : []))
  return [
    ...endpoints.filter((each) => handlers(each).length === 0).map((each) => `${name(each)} has no handler`),
    ...endpoints.filter((each) => handlers(each).length > 1).map((each) => `${name(each)} has several handlers`),
    ...intents
      .filter((each) => carried.indexOf(each) !== carried.lastIndexOf(each))
      .map((each) => `${each.id} has several handlers`),
    ...intents.filter((each) => !carried.includes(each)).map((each) => `${each.id} is not carried out by ${name(each.endpoint)}`),
    ...routes
      .filter((route) => !endpoints.includes(route.endpoint))
      .map((route) => `${name(route.endpoint)} is not in the contract`),
  ]
}
