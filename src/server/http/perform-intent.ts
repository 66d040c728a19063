import { requirePermission } from '#server/http/validate-intent.ts'
import { perform } from '#server/http/perform.ts'
import { problemOf, refusalOf } from '#server/http/problem-answer.ts'
import { Refused, notFound } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import type { ReadyIntent, Services } from '#server/http/route.ts'
import type { Reply, Write } from '#server/http/write.ts'

/** An intent executed without HTTP: by a run, for a person whose rights were just read. */
export interface IntentRun {
  actor: Actor
  intent: string
  params: Record<string, string | number>
  /** Without a version: a run changes whatever version it finds, unless `version` is set. */
  body: Record<string, unknown>
  /** The only version that may be changed. */
  version?: number
  key: string | null
  command: string | null
}

function writeOf(services: Services, run: IntentRun): Write & { intent: ReadyIntent } {
  const ready = services.routes.byIntent.get(run.intent)
  if (!ready) throw notFound()
  requirePermission(run.actor, ready.intent.needs)
  const parsed = ready.bodyWithoutVersion.safeParse(run.body)
  const params = ready.route.params.safeParse(run.params)
  if (!parsed.success || !params.success)
    throw new Refused(422, 'validation-failed', parsed.error?.issues[0]?.message ?? 'The target is not an id.')
  return {
    ...run,
    route: ready.route,
    intent: ready,
    params: params.data,
    query: {},
    body: run.version === undefined ? parsed.data : { ...parsed.data, version: run.version },
    caller: { address: 'run', device: null },
    now: new Date(),
  }
}

/** Executes one intent without HTTP; every refusal is returned as a reply, an unexpected failure is thrown. */
export async function performIntent(services: Services, run: IntentRun): Promise<Reply> {
  try {
    return await perform(services, writeOf(services, run))
  } catch (error) {
    const { refused, unexpected } = refusalOf(error)
    if (unexpected) throw error
    return { status: refused.status, json: JSON.stringify(problemOf(refused)), replayed: false }
  }
}
