import type { Problem } from '#contract/problem.ts'
import { answerOf, requirePermission } from '#server/http/validate-intent.ts'
import { Refused, notFound } from '#server/http-error.ts'
import type { Kept } from '#server/tables/idempotency.ts'
import type { ReadyRoute } from '#server/http/route.ts'
import { type AnyContext, type Reply, type Write, made } from '#server/http/write.ts'

/**
 * Answers a call that was answered before. Rights and access are asked again: once they are gone, so is the reply, and
 * what stands in it. A reply about something made, or no longer where the call found it, is judged by the read of that
 * thing; where there is none, by what the call is about. Where a company that was open to the person then is no more, it is told as
 * it is to be seen now, or not at all: it may have something of each of them. A refusal may tell of every invoice that the call
 * named, and is answered without its facts, which are those of then.
 */
export async function answerAgain(
  context: AnyContext,
  write: Write,
  kept: Kept,
  found: PromiseSettledResult<unknown>,
): Promise<Reply> {
  const { intent, route } = write
  const reply: Reply = { status: kept.status, json: kept.reply || null, replayed: true }
  // Whether the person may see less by now.
  const less = !kept.allOpen || kept.rights.some((right) => !context.actor.held.has(right as never))
  if (!intent) {
    if (kept.status >= 400) {
      if (less) throw notFound()
      return withoutFacts(reply, kept)
    }
    if (!route.again) return reply
    return { ...made(route, await route.again(context as never, JSON.parse(kept.reply) as never)), replayed: true }
  }
  const subject = found.status === 'fulfilled' ? found.value : null
  if (subject !== null) requirePermission(context.actor, intent.intent.needs, subject)
  const seen = kept.about && reply.json !== null ? await readNow(context, route, kept.about) : null
  if (seen?.is === 'closed') throw notFound()
  if (reply.json === null) return reply
  if (seen?.is === 'open') {
    const masked = less && kept.status < 400 && seen.read.endpoint.answer === route.endpoint.answer
    if (masked) return { ...made(route, seen.answer as never), replayed: true }
    if (kept.allOpen) return reply
  }
  if (!kept.allOpen && kept.status < 400) throw notFound()
  if (found.status === 'rejected' && (found.reason as Refused).status !== kept.status) throw found.reason
  if (found.status === 'fulfilled' && subject === null && kept.status !== 404) throw notFound()
  if (kept.status < 400) return reply
  for (const id of Object.keys(write.body?.expected ?? {}))
    if ((await readNow(context, route, { entity: 'invoice', id }))?.is === 'closed') throw notFound()
  return withoutFacts(reply, kept)
}

/** A refusal as it was, without what it told of then. */
function withoutFacts(reply: Reply, kept: Kept): Reply {
  const { facts: _, ...refusal } = JSON.parse(kept.reply) as Problem
  return { ...reply, json: JSON.stringify(refusal) }
}

type Seen = { is: 'open'; read: ReadyRoute; answer: unknown } | { is: 'closed' }

/** A thing as the person may see it now, by the read of one of its kind; null where there is no such read. */
async function readNow(
  context: AnyContext,
  route: ReadyRoute,
  { entity, id }: { entity: string; id: string },
): Promise<Seen | null> {
  const { byEndpoint } = context.services.routes
  // An address that is not named by the noun is that of the call itself: a time entry is read at /timekeeping/{id}.
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
