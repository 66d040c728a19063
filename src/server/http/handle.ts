import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { AnyEndpoint } from '#contract/define.ts'
import { checkApplication } from '#server/auth/application-key.ts'
import { readConfirmed } from '#server/auth/read-confirmed.ts'
import { authenticate, bearerToken, notSignedIn } from '#server/auth/session.ts'
import { sendFile } from '#server/http/file-answer.ts'
import { chooseIntent, parse, printable, refuseUnstorable } from '#server/http/input.ts'
import { checkAnswer, requirePermission } from '#server/http/validate-intent.ts'
import { perform } from '#server/http/perform.ts'
import { isOutdated, TooLate } from '#server/postgres/away.ts'
import { positionOf, type Replicas } from '#server/postgres/replicas.ts'
import { onOneConnection } from '#server/postgres/transaction.ts'
import { problemOf, problemType, refusalOf } from '#server/http/problem-answer.ts'
import { invalid, keyRequired, versionRequired } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Caller } from '#server/auth/caller.ts'
import type { Database, Tx } from '#server/tables/database.ts'
import { isPublic, type ReadyRoute, type Services } from '#server/http/route.ts'
import { keyOf, type RowKey } from '#server/tables/rows.ts'
import { isOverWithin } from '#server/timeout.ts'
import type { Reply } from '#server/http/write.ts'

const jsonType = 'application/json; charset=utf-8'
const noBody = z.strictObject({})

/** Maximum number of entities whose versions a change of money may name: each is locked and makes others wait. */
const maxExpected = 1_000

/**
 * For a change of money: 400 without an idempotency key, and 428 without the versions that the person saw (docs/rules/api.md); a
 * version with a default may be left out. Which entities `expected` must name is checked once they are known: `requireExpected`.
 */
function requirePreconditions(
  headers: Readonly<Record<string, unknown>>,
  shape: Readonly<Record<string, unknown>>,
  given: unknown,
): void {
  if (headers['idempotency-key'] === undefined) throw keyRequired()
  const body = (typeof given === 'object' && given !== null ? given : {}) as Readonly<Record<string, unknown>>
  for (const field of ['version', 'expected'])
    if (shape[field] && !(shape[field] instanceof z.ZodDefault) && body[field] === undefined) throw versionRequired(field)
  const { expected } = body
  if (typeof expected === 'object' && expected !== null && Object.keys(expected).length > maxExpected)
    throw invalid([{ path: 'expected', message: 'At most 1,000' }])
}

/** Path or query parameters, parsed. */
function partOf(schema: z.ZodObject, value: unknown): Record<string, unknown> {
  refuseUnstorable(value)
  return parse(schema, value)
}

/** Reason passed to `abort()`. One shared instance, so that aborting does not capture a stack trace. */
const requestEnded = new Error('The request is over.')

/** Sends a prepared answer. */
type Send = (reply: FastifyReply) => FastifyReply | Promise<FastifyReply>

/**
 * The Fastify handler of one endpoint. Every request is answered within a time limit, whatever the database does: unfinished work
 * is answered with 503 and not committed later. Work waiting in a queue leaves it then, and when the connection closes.
 */
export function handlerOf(services: Services, route: ReadyRoute) {
  const answer = answererOf(services, route)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const within = services.answerWithin - request.admittedIn
    const tooLate = () => new TooLate(`${request.method} ${request.routeOptions.url}`)
    if (within <= 0) throw tooLate()
    const until = Date.now() + within
    const gone = new AbortController()
    const leave = () => gone.abort(requestEnded)
    reply.raw.once('close', leave)
    const answered = answer(request, until, gone.signal).catch((error) => {
      // Nothing was committed, except by transactions of the route's own.
      if (!isOutdated(error) || route.ownTransactions) throw error
      return answer(request, until, gone.signal)
    })
    if (!(await isOverWithin(within, answered))) {
      leave()
      throw tooLate()
    }
    return (await answered)(reply)
  }
}

/** The steps of every request in order: application, person, input, permission, then the route. */
function answererOf(services: Services, route: ReadyRoute) {
  const { endpoint } = route
  const open = isPublic(route)
  const isRead = endpoint.method === 'GET'
  // A read has no transaction: its statements see committed data, and BEGIN and COMMIT would double its cost.
  const reading = services.db as unknown as Tx

  return async (request: FastifyRequest, until: number, gone: AbortSignal): Promise<Send> => {
    const now = new Date()
    const { headers } = request
    await checkApplication(services.db, headers, endpoint, services.auth)
    const token = open ? null : bearerToken(headers.authorization)
    if (!open && token === null) throw notSignedIn()
    const { absoluteSeconds } = services.auth
    const identify = async (tx: Tx): Promise<Actor> => {
      const actor = await authenticate(tx, token, now, session)
      request.person = actor.id
      return actor
    }
    const session = { activity: endpoint.activity && headers['x-background'] !== '1', absoluteSeconds }
    const contextOf = () => ({
      params: partOf(route.params, request.params),
      query: partOf(route.query, request.query),
      caller: { ...callerOf(request), gone },
      auth: services.auth,
      services,
      now,
    })

    if (isRead && route.plain) {
      const { plain } = route
      const readAs = async (tx: Tx, actor: Actor | undefined): Promise<unknown> => {
        const context = contextOf()
        if (actor) requirePermission(actor, endpoint.needs)
        return plain({ ...context, tx, actor, body: undefined } as never)
      }
      const readOnPrimary = () => onOneConnection(services.db, (tx) => readConfirmed(identify(tx), token, tx, readAs))
      const answer = open
        ? await readAs(reading, undefined)
        : services.replicas
          ? await readOnReplica(services, services.replicas, identify, readAs)
          : await readOnPrimary()
      checkAnswer(services, route, answer)
      return answer instanceof File
        ? (reply) => sendFile(reply, endpoint.status, answer)
        : sent(endpoint.status, JSON.stringify(answer))
    }

    const written = async (actor: Actor | undefined, on: Kysely<Database>, located?: RowKey): Promise<Send> => {
      const context = contextOf()
      const given = isRead ? undefined : bodyOf(request, endpoint, context.query)
      refuseUnstorable(given)
      const intent = route.change ? chooseIntent(route, given) : undefined
      request.intent = intent?.intent.id ?? null
      if (actor) requirePermission(actor, intent?.intent.needs ?? endpoint.needs)
      if (endpoint.money) requirePreconditions(headers, intent?.body.shape ?? {}, given)
      const schema = intent?.body ?? route.body
      const body = schema ? (parse(schema, given) as Record<string, unknown>) : parse(noBody, given)

      if (route.ownTransactions) {
        const answer = await route.ownTransactions({ ...context, db: services.db, body } as never)
        checkAnswer(services, route, answer)
        return sent(endpoint.status, JSON.stringify(answer))
      }
      const write = {
        ...context,
        route,
        intent,
        actor: actor as Actor,
        body,
        located,
        key: actor ? printable(headers, 'idempotency-key', 200) : null,
        command: printable(headers, 'command', 100),
        until,
      }
      const made = await perform(services, write, on)
      return (reply) => sendReply(reply, made, request.id)
    }
    if (open) return written(undefined, services.db)
    // The session check and the change share one connection, since each checkout from the pool may have to wait.
    return onOneConnection(route.ownTransactions ? services.db : services.changing, async (tx) => {
      // Pipelined in one round trip, executed in this order: once the person is known, so is the record.
      const locating = locate(tx, route, request)
      const [actor, located] = await Promise.all([identify(tx), locating])
      return written(actor, tx, located)
    })
  }
}

/**
 * The record that a request for a change names, if there is one; whether the person may see it is decided where it is locked, and
 * nothing of it is answered before.
 */
async function locate(tx: Tx, { change }: ReadyRoute, { params, body }: FastifyRequest): Promise<RowKey | undefined> {
  const [given, sent] = [params, body].map((value) => (isObject(value) ? value : {})) as Record<string, unknown>[]
  const named = change?.locate?.({ params: given ?? {}, body: sent ?? {} })
  if (!named || !Number.isSafeInteger(named.id)) return undefined
  return (await keyOf(tx, named.table, named.id)) ?? undefined
}

/**
 * Reads on a standby, after the person was identified on the primary with their current rights; on the primary if no standby is
 * that far, or if one fails.
 */
async function readOnReplica<T>(
  { db }: Services,
  replicas: Replicas,
  identify: (tx: Tx) => Promise<Actor>,
  readAs: (tx: Tx, actor: Actor) => Promise<T>,
): Promise<T> {
  const [actor, position] = await onOneConnection(db, (tx) => Promise.all([identify(tx), positionOf(tx)]))
  const read = await replicas.read(position, (tx) => readAs(tx, actor))
  return read ? read.answer : onOneConnection(db, (tx) => readAs(tx, actor))
}

/**
 * The body of a request, completed with the fields that travel elsewhere: the version of a DELETE in the query, the endpoint's
 * `parameters`, and its `headers`, which are ignored in the body. A field sent in two places with different values is refused
 * with 422.
 */
function bodyOf(
  { body, headers }: FastifyRequest,
  { method, headers: names, parameters }: AnyEndpoint,
  query: Record<string, unknown>,
): unknown {
  const { version } = query
  if (!isObject(body ?? {})) return body
  const given: Record<string, unknown> = { ...(body as object | undefined) }
  for (const [parameter, value] of parameters.length > 0 ? Object.entries(query) : []) {
    const name = parameter.replaceAll('-', '_')
    if (given[name] !== undefined && String(given[name]) !== String(value))
      throw invalid([{ path: name, message: `Differs from the parameter ${parameter}.` }])
    given[name] = value
  }
  const fromHeaders = Object.fromEntries(names.map((name) => [name, printable(headers, name, 100) ?? undefined]))
  return { ...(method === 'DELETE' && version !== undefined ? { version } : {}), ...given, ...fromHeaders }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

const sent =
  (status: number, json: string): Send =>
  (reply) =>
    reply.code(status).header('content-type', jsonType).send(json)

function sendReply(reply: FastifyReply, made: Reply, requestId: string): FastifyReply {
  const { replayed, status, json } = made
  if (replayed) reply.header('idempotency-replayed', 'true')
  const isProblem = status >= 400
  if (json !== null) reply.header('content-type', isProblem ? problemType : jsonType)
  const body = isProblem && json !== null ? JSON.stringify({ ...JSON.parse(json), request_id: requestId }) : json
  return reply.code(status).send(body ?? undefined)
}

/** Answers any thrown error with a problem document; unexpected ones are logged. */
export function answerProblem(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { refused, unexpected } = refusalOf(thrown)
  // A client that disconnects in the middle of a request is not our failure.
  const goneAway = request.raw.destroyed && !request.raw.complete
  if (unexpected && !goneAway)
    request.log.error({ err: thrown, method: request.method, route: request.routeOptions.url }, 'request failed')
  if (refused.extra.retry_after !== undefined) reply.header('retry-after', String(refused.extra.retry_after))
  if (refused.status === 401) reply.header('www-authenticate', 'Bearer')
  return reply
    .code(refused.status)
    .header('content-type', problemType)
    .send(JSON.stringify({ ...problemOf(refused), request_id: request.id }))
}

const ownNames = ['localhost', '127.0.0.1', '[::1]']

/** The origin of a request. */
export const callerOf = (request: FastifyRequest): Caller => {
  const device = request.headers['device-id']
  return {
    address: request.ip,
    device: typeof device === 'string' && /^[\x21-\x7e]{1,200}$/.test(device) ? device : null,
    userAgent: request.headers['user-agent'],
    local: ownNames.includes((request.headers.host ?? '').replace(/:\d+$/, '')),
  }
}
