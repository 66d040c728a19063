import { type Need, joined, lacking, may, noPermission } from '#domain/permissions.ts'
import type { Refusal } from '#domain/refusal.ts'
import { changedMeanwhile, oneOfPermissions } from '#contract/problem.ts'
import { Refused, notFound } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import { actorNow } from '#server/auth/session.ts'
import { nameOf } from '#server/http/route-table.ts'
import type { ReadyIntent, ReadyRoute, Services } from '#server/http/route.ts'
import type { AnyContext, Write } from '#server/http/write.ts'

/** The subject of a write, loaded and locked; undefined for a write without intent. */
export async function subjectOf(context: AnyContext, { intent }: Pick<Write, 'intent'>): Promise<unknown> {
  if (!intent) return undefined
  const route = changeOf(intent)
  if (route.lock) {
    await route.lock(context.tx)
    context.actor = await actorNow(context.tx, context.actor)
  }
  return route.subject(context)
}

/** Checks every rule on a locked subject; throws the refusal. */
export async function validate(
  context: AnyContext,
  write: Pick<Write, 'body'>,
  ready: ReadyIntent,
  subject: unknown,
): Promise<void> {
  const route = changeOf(ready)
  if (subject === null) throw notFound()
  requirePermission(context.actor, ready.intent.needs, subject)
  const seen = write.body?.version
  const { version } = route.target(subject)
  if (typeof seen === 'number' && version !== null && seen !== version)
    throw new Refused(409, 'stale-version', ready.intent.stale?.(subject) ?? changedMeanwhile, {
      facts: await factsOf(context, ready, subject),
    })
  const refusal = ready.intent.refuses(subject as never) ?? (await checked(context, ready))
  if (refusal) throw new Refused(409, refusal.code, refusal.sentence)
}

/** How the route of an intent changes its subject. */
export const changeOf = (ready: ReadyIntent) => ready.route.change as NonNullable<ReadyRoute['change']>

/** The current state of the subject: from the route, from the GET of the same path, or from the audit snapshot. */
async function factsOf(context: AnyContext, ready: ReadyIntent, subject: unknown): Promise<unknown> {
  const route = changeOf(ready)
  if (route.facts) return route.facts({ ...context, subject } as never)
  const read = context.services.routes.byEndpoint.get(`GET ${ready.route.endpoint.path}`)
  if (read?.plain && may(context.actor.held, read.endpoint.needs) === 'yes') return answerOf(context, read)
  return route.snapshot(subject)
}

/** Runs the read that checks an intent, in the same transaction. */
async function checked(context: AnyContext, { intent }: ReadyIntent): Promise<Refusal | null> {
  if (!intent.checkedBy) return null
  const read = context.services.routes.byEndpoint.get(nameOf(intent.checkedBy.endpoint))
  if (!read) throw new Error(`${intent.id} is checked by ${nameOf(intent.checkedBy.endpoint)}, which has no route.`)
  return intent.checkedBy.refuses((await answerOf(context, read)) as never)
}

/** The answer of a read in the same transaction. */
export const answerOf = (context: AnyContext, read: ReadyRoute): Promise<unknown> | undefined =>
  read.plain?.({ ...context, query: read.query.parse({}), body: undefined } as never)

/** Throws 403 unless the actor may; a need that depends on the target is decided by `target`. */
export function requirePermission(actor: Pick<Actor, 'held'>, need: Need<never>, target?: unknown): void {
  const verdict = may(actor.held, need as Need<unknown>, target)
  if (verdict === 'yes' || (verdict === 'depends' && target === undefined)) return
  const path = joined(need as Need<unknown>, target) === 'or' ? oneOfPermissions : 'permission'
  throw new Refused(403, 'permission-denied', noPermission, {
    errors: lacking(actor.held, need as Need<unknown>, target).map((name) => ({ path, message: name })),
  })
}

/** Validates an answer, where enabled: one that breaks the contract is our defect and is never sent. */
export function checkAnswer(services: Services, route: ReadyRoute, answer: unknown): void {
  if (!services.checkAnswers || route.endpoint.status === 204) return
  const read = route.endpoint.answer.safeParse(answer)
  if (!read.success) throw new Error(`${nameOf(route.endpoint)} answers against its contract: ${read.error.message}`)
}
