import { joined, type Need, lacking, may } from '#domain/permissions.ts'
import type { Missing } from '#domain/explanation.ts'
import type { Actor } from '#server/access/actor.ts'
import { answerOf, validate, subjectOf } from '#server/http/validate-intent.ts'
import { refusalOf } from '#server/http/problem-answer.ts'
import type { ReadyIntent, ReadyRoute, RouteTable } from '#server/http/route.ts'
import type { AnyContext } from '#server/http/write.ts'
import { Refused } from '#server/http-error.ts'

/** A read of a record, by its path. */
export interface Read {
  route: ReadyRoute
  params: Record<string, unknown>
}

/** The read of a path such as `/employees/5`; null when there is none. */
export function readAt({ routes }: RouteTable, path: string): Read | null {
  const typed = path.split('/')
  for (const route of routes) {
    const parts = route.endpoint.path.split('/')
    const isRecord = route.endpoint.method === 'GET' && route.plain && parts.at(-1)?.startsWith('{')
    if (!isRecord || parts.length !== typed.length) continue
    const given = parts.flatMap((part, at) => (part.startsWith('{') ? [[part.slice(1, -1), typed[at]]] : []))
    if (!parts.every((part, at) => part.startsWith('{') || part === typed[at])) continue
    const params = route.params.safeParse(Object.fromEntries(given))
    if (params.success) return { route, params: params.data }
  }
  return null
}

/** Whether the path of an intent is that of the record, or below it without further parameters. */
const isAbout = ({ route: { endpoint } }: ReadyIntent, read: Read): boolean =>
  (endpoint.path === read.route.endpoint.path || endpoint.path.startsWith(`${read.route.endpoint.path}/`)) &&
  Object.keys(endpoint.params.shape).every((name) => name in read.params)

/** The permissions missing for a need before its target is known; null when none are missing, or when the target decides. */
export function missingFor(actor: Pick<Actor, 'held'>, need: Need<never>): Missing | null {
  if (may(actor.held, need) !== 'no' || !('names' in need)) return null
  return { names: lacking(actor.held, need), one: joined(need) === 'or' }
}

/** The answer of a read for the person of the context, or its refusal. */
export async function readRecord(context: AnyContext, { route, params }: Read): Promise<{ answer: unknown } | Refused> {
  try {
    return { answer: await answerOf({ ...context, params }, route) }
  } catch (error) {
    if (error instanceof Refused) return error
    throw error
  }
}

/**
 * The refusal of an intent on a record for the person of the context, found by the checks of the call itself; null when it would
 * be allowed, or when the body decides. Nothing is changed, and no lock outlives its statement.
 */
export async function refusalOfIntent(context: AnyContext, ready: ReadyIntent, read: Read): Promise<Refused | null> {
  if (!isAbout(ready, read)) return null
  const intentContext = { ...context, params: read.params, body: { ...ready.intent.fixed } }
  try {
    await validate(intentContext, { body: undefined }, ready, await subjectOf(intentContext, { intent: ready }))
    return null
  } catch (error) {
    // A rule failed for lack of a body: then only the body can decide.
    const { refused, unexpected } = refusalOf(error)
    if (unexpected && refused.status >= 500) throw error
    return [403, 404, 409].includes(refused.status) ? refused : null
  }
}
