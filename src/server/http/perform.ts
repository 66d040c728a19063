import { storedGrants, isStillOpen } from '#server/access/scope.ts'
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { withoutSecrets } from '#contract/secrets.ts'
import { replayAnswer } from '#server/http/replay-answer.ts'
import { changeOf, checkAnswer, validate, subjectOf } from '#server/http/validate-intent.ts'
import { isConflict } from '#server/postgres/away.ts'
import { problemOf } from '#server/http/problem-answer.ts'
import { Refused } from '#server/http-error.ts'
import type { Database, Tx } from '#server/tables/database.ts'
import { nameOf } from '#server/http/route-table.ts'
import type { ReadyIntent, Services } from '#server/http/route.ts'
import { prepared } from '#server/postgres/prepared.ts'
import { type Later, inTransaction } from '#server/postgres/transaction.ts'
import { type NewAuditEvent, insertEventStatement } from '#server/tables/audit.ts'
import { type Claim, claimKey, storeReplyStatement } from '#server/tables/idempotency.ts'
import { type AnyContext, type Reply, type Write, storableBody, replyFor } from '#server/http/write.ts'

const attempts = 3

/**
 * Executes a write in one transaction with its audit event and its stored reply. A refusal under an idempotency key is stored and
 * answered like any other reply; without a key it is thrown. Deadlocks are retried. `on` is an existing connection.
 */
export async function perform(services: Services, write: Write, on: Kysely<Database> = services.db): Promise<Reply> {
  const ahead = await write.intent?.ahead?.({ body: write.body ?? {}, auth: services.auth })
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(on, (tx, later) => performOnce(services, tx, later, { ...write, ahead }), write)
    } catch (error) {
      if (attempt >= attempts || !isConflict(error)) throw error
      await sleep(10 * attempt + Math.random() * 20)
    }
  }
}

/** A write, with the result of its work ahead of the transaction. */
type StartedWrite = Write & { ahead: unknown }

async function performOnce(services: Services, tx: Tx, later: Later, write: StartedWrite): Promise<Reply> {
  const context: AnyContext = { ...write, tx, later, auth: services.auth, services } as unknown as AnyContext
  if (write.key === null) {
    const { answer, event } = await change(context, write, subjectOf(context, write))
    if (event) later(sql`${prepared} ${insertEventStatement(event)}`.compile(tx))
    return replyFor(write.route, answer)
  }
  const claim = claimOf(write, write.key)
  // The subject is requested right after the claim, which may wait for a concurrent request with the same key; both finish before
  // anything follows.
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
  if (claimed.value.kind === 'replay') return replayAnswer(context, write, claimed.value, found)
  later(sql`savepoint before_change`.compile(tx))
  try {
    const { answer, event } = await change(context, write, subject)
    const reply = replyFor(write.route, answer)
    const safe = withoutSecrets(write.route.endpoint.answer, answer)
    const { json } = safe === answer ? reply : replyFor(write.route, safe)
    const storeReply = storeReplyStatement(claim, reply.status, json ?? '', event && { entity: event.entity, id: event.entityId })
    later((event ? sql`${prepared} with kept as (${storeReply}) ${insertEventStatement(event)}` : storeReply).compile(tx))
    return reply
  } catch (error) {
    // The session has expired, not the request: it may be retried after the next sign-in.
    if (!(error instanceof Refused) || error.status === 401) throw error
    later(sql`rollback to savepoint before_change`.compile(tx))
    const json = JSON.stringify(problemOf(error))
    later(storeReplyStatement(claim, error.status, json).compile(tx))
    return { status: error.status, json, replayed: false }
  }
}

const claimOf = (write: Write, key: string): Claim => ({
  personId: write.actor.id,
  key,
  rights: [...write.actor.held],
  reach: storedGrants(write.actor),
  stillOpen: isStillOpen(write.actor, sql.ref('reach')),
  request: `${write.intent?.intent.id ?? nameOf(write.route.endpoint)} ${JSON.stringify([write.params, write.query])}`,
  bodyHash: createHash('sha256')
    .update(JSON.stringify(storableBody(write) ?? null))
    .digest('base64url'),
})

/** The result of a write: the answer of its endpoint and, for an intent, its audit event. */
interface WriteResult {
  answer: unknown
  event: NewAuditEvent | null
}

async function change(context: AnyContext, write: StartedWrite, subject: Promise<unknown>): Promise<WriteResult> {
  const done = write.intent
    ? await execute(context, write, write.intent, await subject)
    : { answer: await write.route.plain?.(context as never), event: null }
  checkAnswer(context.services, write.route, done.answer)
  return done
}

async function execute(context: AnyContext, write: StartedWrite, ready: ReadyIntent, subject: unknown): Promise<WriteResult> {
  await validate(context, write, ready, subject)
  const route = changeOf(ready)
  const { after, answer, text, unchanged } = await ready.apply({
    ...context,
    intent: ready.intent,
    subject,
    body: write.body ?? {},
    ahead: write.ahead,
  } as never)
  if (unchanged) return { answer, event: null }
  const target = route.target(after)
  const safe = (snapshot: Record<string, unknown>) => withoutSecrets(ready.intent.body, snapshot) as Record<string, unknown>
  const event: NewAuditEvent = {
    actor: context.actor,
    intent: ready.intent.id,
    command: write.command,
    entity: target.entity,
    entityId: target.id,
    category: target.category,
    status: ready.intent.event,
    text: text === undefined ? writtenBy(storableBody(write)) : text,
    before: safe(route.snapshot(subject as never)),
    after: safe(route.snapshot(after)),
    version: target.version ?? 0,
    idempotencyKey: write.key,
  }
  return { answer, event }
}

/** The text that a person wrote, for the history. */
function writtenBy(body: Record<string, unknown> | undefined): string | null {
  const words = ['reason', 'details', 'notes']
    .map((name) => body?.[name])
    .filter((value) => typeof value === 'string' && value !== '')
  return words.length > 0 ? words.join('\n') : null
}
