import { joined, type Need, lacking, may } from '#domain/permissions.ts'
import type { Missing } from '#domain/explanation.ts'
import type { Actor } from '#server/access/actor.ts'
import { answerOf, validate, subjectOf } from '#server/http/validate-intent.ts'
import { refusalOf } from '#server/http/problem-answer.ts'
import type { ReadyIntent, ReadyRoute, RouteTable } from '#server/http/route.ts'
import type { AnyContext } from '#server/http/write.ts'
import { Refused } from '#server/http-error.ts'

/** A record that a call reads, by its path. */
export interface Read {
  route: ReadyRoute
  params: Record<string, unknown>
}

/** The call that reads what a path is about, `/employees/5`; null where none does. */
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

/** Whether the path of an intent is that of the record, or below it with nothing else to be named. */
const isAbout = ({ route: { endpoint } }: ReadyIntent, read: Read): boolean =>
  (endpoint.path === read.route.endpoint.path || endpoint.path.startsWith(`${read.route.endpoint.path}/`)) &&
  Object.keys(endpoint.params.shape).every((name) => name in read.params)

/** What a need lacks, before anything is known of the thing; null where it is met, or decided by the thing. */
export function missingFor(actor: Pick<Actor, 'held'>, need: Need<never>): Missing | null {
  if (may(actor.held, need) !== 'no' || !('names' in need)) return null
  return { names: lacking(actor.held, need), one: joined(need) === 'or' }
}

/** What a record is answered to the person of the context; a refusal where it is refused to them. */
export async function reading(context: AnyContext, { route, params }: Read): Promise<{ answer: unknown } | Refused> {
  try {
    return { answer: await answerOf({ ...context, params }, route) }
  } catch (error) {
    if (error instanceof Refused) return error
    throw error
  }
}

/**
 * How the person of the context would be refused an intent on a record, by what judges the call itself; null where they would
 * not be, or where only what they send can tell. Nothing is changed, and no lock outlives its statement.
 */
export async function refusalOfIntent(context: AnyContext, ready: ReadyIntent, read: Read): Promise<Refused | null> {
  if (!isAbout(ready, read)) return null
  const asked = { ...context, params: read.params, body: { ...ready.intent.fixed } }
  try {
    await validate(asked, { body: undefined }, ready, await subjectOf(asked, { intent: ready }))
    return null
  } catch (error) {
    // What a rule cannot do without, nobody sent: then only that can tell.
    const { refused, unexpected } = refusalOf(error)
    if (unexpected && refused.status >= 500) throw error
    return [403, 404, 409].includes(refused.status) ? refused : null
  }
}
