import type { Problem } from '#contract/problem.ts'
import { answerOf, requirePermission } from '#server/http/judge.ts'
import { Refused, notFound } from '#server/refused.ts'
import type { Kept } from '#server/tables/idempotency.ts'
import { type AnyContext, type Reply, type Write, made } from '#server/http/write.ts'

/**
 * Answers a call that was answered before. Rights and access are asked again: once they are gone, so is the reply, and
 * what stands in it. A reply about something made, or no longer where the call found it, is judged by the read of that
 * thing; where there is none, by what the call is about. A refusal may tell of every invoice that the call named, and is
 * answered without its facts, which are those of then.
 */
export async function answerAgain(
  context: AnyContext,
  write: Write,
  kept: Kept,
  found: PromiseSettledResult<unknown>,
): Promise<Reply> {
  const { intent, route } = write
  const reply: Reply = { status: kept.status, json: kept.reply || null, replayed: true }
  if (!intent) {
    if (!route.again || kept.status >= 400) return reply
    return { ...made(route, await route.again(context as never, JSON.parse(kept.reply) as never)), replayed: true }
  }
  const subject = found.status === 'fulfilled' ? found.value : null
  if (subject !== null) requirePermission(context.actor, intent.intent.needs, subject)
  const open = kept.about && reply.json !== null ? await isOpen(context, kept.about) : null
  if (open === false) throw notFound()
  if (open || reply.json === null) return reply
  if (found.status === 'rejected' && (found.reason as Refused).status !== kept.status) throw found.reason
  if (found.status === 'fulfilled' && subject === null && kept.status !== 404) throw notFound()
  if (kept.status < 400) return reply
  for (const id of Object.keys(write.body?.expected ?? {}))
    if ((await isOpen(context, { entity: 'invoice', id })) === false) throw notFound()
  const { facts: _, ...refusal } = JSON.parse(kept.reply) as Problem
  return { ...reply, json: JSON.stringify(refusal) }
}

/** Whether the person may see a thing now, by the read of one of its kind; null where there is no such read. */
async function isOpen(context: AnyContext, { entity, id }: { entity: string; id: string }): Promise<boolean | null> {
  const read = context.services.routes.byEndpoint.get(`GET /${entity}s/{id}`)
  const params = read?.params.safeParse({ id })
  if (!read?.plain || !params?.success) return null
  try {
    await answerOf({ ...context, params: params.data }, read)
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}
