import type { Problem } from '#contract/problem.ts'
import { answerOf, requirePermission } from '#server/http/validate-intent.ts'
import { Refused, notFound } from '#server/http-error.ts'
import type { StoredReply } from '#server/tables/idempotency.ts'
import type { ReadyRoute } from '#server/http/route.ts'
import { type AnyContext, type Reply, type Write, replyFor } from '#server/http/write.ts'

/**
 * Replays the answer to a call that was answered before. Permissions and access are checked again: without them, the reply and
 * its content are withheld. A reply about a created, moved or deleted record is checked by reading that record; otherwise by the
 * subject of the call. Where the person has lost access to a company since, the reply is read again as they may see it now, or
 * withheld: it may contain data of each of its companies. A refusal may mention any invoice that the call named, so it is
 * replayed without its facts, which are outdated.
 */
export async function replayAnswer(
  context: AnyContext,
  write: Write,
  stored: StoredReply,
  found: PromiseSettledResult<unknown>,
): Promise<Reply> {
  const { intent, route } = write
  const reply: Reply = { status: stored.status, json: stored.reply || null, replayed: true }
  // Whether the person may see less than at the first answer.
  const seesLess = !stored.allOpen || stored.rights.some((right) => !context.actor.held.has(right as never))
  if (!intent) {
    if (stored.status >= 400) {
      if (seesLess) throw notFound()
      return withoutFacts(reply, stored)
    }
    if (!route.again) return reply
    return { ...replyFor(route, await route.again(context as never, JSON.parse(stored.reply) as never)), replayed: true }
  }
  const subject = found.status === 'fulfilled' ? found.value : null
  if (subject !== null) requirePermission(context.actor, intent.intent.needs, subject)
  const seen = stored.about && reply.json !== null ? await readNow(context, route, stored.about) : null
  if (seen?.is === 'closed') throw notFound()
  if (reply.json === null) return reply
  if (seen?.is === 'open') {
    const masked = seesLess && stored.status < 400 && seen.read.endpoint.answer === route.endpoint.answer
    if (masked) return { ...replyFor(route, seen.answer as never), replayed: true }
    if (stored.allOpen) return reply
  }
  if (!stored.allOpen && stored.status < 400) throw notFound()
  if (found.status === 'rejected' && (found.reason as Refused).status !== stored.status) throw found.reason
  if (found.status === 'fulfilled' && subject === null && stored.status !== 404) throw notFound()
  if (stored.status < 400) return reply
  for (const id of Object.keys(write.body?.expected ?? {}))
    if ((await readNow(context, route, { entity: 'invoice', id }))?.is === 'closed') throw notFound()
  return withoutFacts(reply, stored)
}

/** The original refusal without its outdated facts. */
function withoutFacts(reply: Reply, stored: StoredReply): Reply {
  const { facts: _, ...refusal } = JSON.parse(stored.reply) as Problem
  return { ...reply, json: JSON.stringify(refusal) }
}

type CurrentRead = { is: 'open'; read: ReadyRoute; answer: unknown } | { is: 'closed' }

/** A record as the person may see it now, read by the GET of its kind; null when there is no such GET. */
async function readNow(
  context: AnyContext,
  route: ReadyRoute,
  { entity, id }: { entity: string; id: string },
): Promise<CurrentRead | null> {
  const { byEndpoint } = context.services.routes
  // Where the path does not follow from the noun, it is the path of the call: a time entry is read at /timekeeping/{id}.
  const called = String(context.params.id) === id ? /^\/[\w-]+\/\{id\}/.exec(route.endpoint.path)?.[0] : undefined
  const read = byEndpoint.get(`GET /${entity}s/{id}`) ?? byEndpoint.get(`GET ${called}`)
  const params = read?.params.safeParse({ id })
  if (!read?.plain || !params?.success) return null
  try {
    return { is: 'open', read, answer: await answerOf({ ...context, params: params.data }, read) }
  } catch (error) {
    if (error instanceof Refused) return { is: 'closed' }
    throw error
  }
}
