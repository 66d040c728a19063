import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Need, lacking, may, noPermission } from '#domain/permissions.ts'
import type { Refusal } from '#domain/refusal.ts'
import { type Problem, changedMeanwhile } from '#contract/problem.ts'
import { isConflict } from '#server/postgres/away.ts'
import { problemOf, refusalOf } from '#server/problem-answer.ts'
import { Refused, notFound } from '#server/refused.ts'
import type { Actor, Caller, Context, Tx } from '#server/route.ts'
import { type ReadyIntent, type ReadyRoute, nameOf } from '#server/route-table.ts'
import type { Services } from '#server/services.ts'
import { prepared } from '#server/postgres/prepared.ts'
import { type Later, inTransaction } from '#server/postgres/transaction.ts'
import { type NewAuditEvent, eventRecorded } from '#server/tables/audit.ts'
import { type Claim, type Kept, claimKey, replyKept } from '#server/tables/idempotency.ts'

// biome-ignore lint/suspicious/noExplicitAny: the width of every context
type AnyContext = Context<any>

/** A write that is parsed and allowed as far as that can be told without its target. */
export interface Write {
  route: ReadyRoute
  intent?: ReadyIntent
  actor: Actor
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown> | undefined
  caller: Caller
  now: Date
  /** From the header Idempotency-Key, or null. */
  key: string | null
  /** Which command the client says it was, or null. */
  command: string | null
  /** The moment, in milliseconds, after which nobody waits for it: it is not committed then. */
  until?: number
}

/** What is sent back; `json` is null for 204. */
export interface Reply {
  status: number
  json: string | null
  replayed: boolean
}

const attempts = 3

/**
 * Carries out a write in one transaction with its audit event and its kept reply. A refusal under a key is kept and
 * answered like any other reply; without a key it is thrown. Deadlocks are tried again.
 */
export async function perform(services: Services, write: Write): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(services.db, (tx, later) => once(services, tx, later, write), write)
    } catch (error) {
      if (attempt >= attempts || !isConflict(error)) throw error
      await sleep(10 * attempt + Math.random() * 20)
    }
  }
}

async function once(services: Services, tx: Tx, later: Later, write: Write): Promise<Reply> {
  const context: AnyContext = { ...write, tx, auth: services.auth, services } as unknown as AnyContext
  if (write.key === null) {
    const { answer, event } = await change(context, write, subjectOf(context, write))
    if (event) later(sql`${prepared} ${eventRecorded(event)}`.compile(tx))
    return made(write.route, answer)
  }
  const claim = claimOf(write, write.key)
  // The subject is asked for right behind the claim, which may wait for a twin; both are over before anything follows.
  const claiming = claimKey(tx, claim)
  const subject = subjectOf(context, write)
  const [claimed, found] = await Promise.allSettled([claiming, subject])
  if (claimed.status === 'rejected') throw claimed.reason
  if (found.status === 'rejected' && !(found.reason instanceof Refused)) throw found.reason
  if (claimed.value.kind === 'reused')
    throw new Refused(
      409,
      'idempotency-key-reused',
      'This key was used for another request. Send the new request with a new key.',
    )
  if (claimed.value.kind === 'replay') return again(context, write, claimed.value, found)
  later(sql`savepoint before_change`.compile(tx))
  try {
    const { answer, event } = await change(context, write, subject)
    const reply = made(write.route, answer)
    const kept = replyKept(claim, reply.status, reply.json ?? '', event && { entity: event.entity, id: event.entityId })
    later((event ? sql`${prepared} with kept as (${kept}) ${eventRecorded(event)}` : kept).compile(tx))
    return reply
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    later(sql`rollback to savepoint before_change`.compile(tx))
    const json = JSON.stringify(problemOf(error))
    later(replyKept(claim, error.status, json).compile(tx))
    return { status: error.status, json, replayed: false }
  }
}

/**
 * Answers a call that was answered before. Rights and access are asked again: once they are gone, so is the reply, and
 * what stands in it. A reply about something made, or no longer where the call found it, is judged by the read of that
 * thing; where there is none, by what the call is about. A refusal may tell of every invoice that the call named, and is
 * answered without its facts, which are those of then.
 */
async function again(context: AnyContext, write: Write, kept: Kept, found: PromiseSettledResult<unknown>): Promise<Reply> {
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

const claimOf = (write: Write, key: string): Claim => ({
  personId: write.actor.id,
  key,
  request: `${write.intent?.intent.id ?? nameOf(write.route.endpoint)} ${JSON.stringify([write.params, write.query])}`,
  bodyHash: createHash('sha256')
    .update(JSON.stringify(write.body ?? null))
    .digest('base64url'),
})

const made = ({ endpoint }: ReadyRoute, answer: unknown): Reply => ({
  status: endpoint.status,
  json: endpoint.status === 204 ? null : JSON.stringify(answer),
  replayed: false,
})

/** What a write is about, loaded and locked; undefined for one that is no intent. */
const subjectOf = async (context: AnyContext, { intent }: Pick<Write, 'intent'>): Promise<unknown> =>
  intent && changeOf(intent).subject(context)

/** What a write did: what its endpoint answers, and of an intent what the audit keeps. */
interface Done {
  answer: unknown
  event: NewAuditEvent | null
}

async function change(context: AnyContext, write: Write, subject: Promise<unknown>): Promise<Done> {
  const done = write.intent
    ? await carryOut(context, write, write.intent, await subject)
    : { answer: await write.route.plain?.(context as never), event: null }
  checkAnswer(context.services, write.route, done.answer)
  return done
}

async function carryOut(context: AnyContext, write: Write, ready: ReadyIntent, subject: unknown): Promise<Done> {
  await judge(context, write, ready, subject)
  const route = changeOf(ready)
  const { after, answer, text, unchanged } = await ready.apply({ ...context, subject, body: write.body ?? {} } as never)
  if (unchanged) return { answer, event: null }
  const target = route.target(after)
  const event: NewAuditEvent = {
    actor: context.actor,
    intent: ready.intent.id,
    command: write.command,
    entity: target.entity,
    entityId: target.id,
    category: target.category,
    status: ready.intent.event,
    text: text === undefined ? writtenBy(write.body) : text,
    before: route.snapshot(subject as never),
    after: route.snapshot(after),
    version: target.version ?? 0,
    idempotencyKey: write.key,
  }
  return { answer, event }
}

/** Asks every rule about a subject that is locked; throws what refuses. */
async function judge(context: AnyContext, write: Pick<Write, 'body'>, ready: ReadyIntent, subject: unknown): Promise<void> {
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

const changeOf = (ready: ReadyIntent) => ready.route.change as NonNullable<ReadyRoute['change']>

/** The thing as it is now: as the route says, as the GET of the same path answers it, or as the audit keeps it. */
async function factsOf(context: AnyContext, ready: ReadyIntent, subject: unknown): Promise<unknown> {
  const route = changeOf(ready)
  if (route.facts) return route.facts({ ...context, subject } as never)
  const read = context.services.routes.byEndpoint.get(`GET ${ready.route.endpoint.path}`)
  if (read?.plain && may(context.actor.held, read.endpoint.needs) === 'yes') return answerOf(context, read)
  return route.snapshot(subject)
}

/** Asks the read that an intent is checked by, in the same transaction. */
async function checked(context: AnyContext, { intent }: ReadyIntent): Promise<Refusal | null> {
  if (!intent.checkedBy) return null
  const read = context.services.routes.byEndpoint.get(nameOf(intent.checkedBy.endpoint))
  if (!read) throw new Error(`${intent.id} is checked by ${nameOf(intent.checkedBy.endpoint)}, which has no route.`)
  return intent.checkedBy.refuses((await answerOf(context, read)) as never)
}

const answerOf = (context: AnyContext, read: ReadyRoute): Promise<unknown> | undefined =>
  read.plain?.({ ...context, query: read.query.parse({}), body: undefined } as never)

/** 403 unless the person may; `target` decides a need by target. */
export function requirePermission(actor: Pick<Actor, 'held'>, need: Need<never>, target?: unknown): void {
  const verdict = may(actor.held, need as Need<unknown>, target)
  if (verdict === 'yes' || (verdict === 'depends' && target === undefined)) return
  throw new Refused(403, 'permission-denied', noPermission, {
    errors: lacking(actor.held, need as Need<unknown>, target).map((name) => ({ path: 'permission', message: name })),
  })
}

/** What a person wrote, for the history. */
function writtenBy(body: Record<string, unknown> | undefined): string | null {
  const words = ['reason', 'details', 'notes']
    .map((name) => body?.[name])
    .filter((value) => typeof value === 'string' && value !== '')
  return words.length > 0 ? words.join('\n') : null
}

/** Where answers are checked: one that breaks the contract is our defect, and never leaves. */
export function checkAnswer(services: Services, route: ReadyRoute, answer: unknown): void {
  if (!services.checkAnswers || route.endpoint.status === 204) return
  const read = route.endpoint.answer.safeParse(answer)
  if (!read.success) throw new Error(`${nameOf(route.endpoint)} answers against its contract: ${read.error.message}`)
}

/** An intent to be carried out without HTTP: by a run, for a person whose rights were just read. */
export interface IntentRun {
  actor: Actor
  intent: string
  params: Record<string, string | number>
  /** Without version: a run changes whatever version it finds, */
  body: Record<string, unknown>
  /** unless it names the one that it means. */
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

/** Carries out one intent without HTTP; every refusal comes back as a reply, an unexpected failure is thrown. */
export async function performIntent(services: Services, run: IntentRun): Promise<Reply> {
  try {
    return await perform(services, writeOf(services, run))
  } catch (error) {
    const { refused, unexpected } = refusalOf(error)
    if (unexpected) throw error
    return { status: refused.status, json: JSON.stringify(problemOf(refused)), replayed: false }
  }
}

/** What `performIntent` would refuse with, or null; changes nothing. */
export async function judgeIntent(services: Services, tx: Tx, run: IntentRun): Promise<Refused | null> {
  try {
    const write = writeOf(services, run)
    const context = { ...write, tx, auth: services.auth, services } as unknown as AnyContext
    await judge(context, write, write.intent, await subjectOf(context, write))
    return null
  } catch (error) {
    if (error instanceof Refused) return error
    throw error
  }
}
