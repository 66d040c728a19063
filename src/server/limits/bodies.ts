import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from '#server/http-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Milliseconds spent on identifying the sender of the body; they are subtracted from the time limit of the answer. */
    admittedIn: number
  }
}

/** Maximum number of bytes of a body that is read before its sender is identified. */
export const smallBody = 16_384
/** Maximum number of bytes of a body without a file. */
export const maxBody = 1_048_576

/** Milliseconds between two checks of the progress of a body, and the minimum number of bytes received in that time. */
const checkEvery = 10_000
const minProgress = 40_000

/** Maximum number of bytes of all unfinished bodies of unauthenticated callers together. */
const maxAnonymousBytes = 16 * maxBody

/** The announced length of a body: 0 without one, infinite for a chunked body. */
function announcedLength({ method, headers }: FastifyRequest): number {
  if (method === 'GET' || method === 'HEAD') return 0
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY
  return Number(headers['content-length'] ?? 0)
}

/** Rejects a body halfway and closes its connection, since the rest of the body would be parsed as the next request. */
function abortBody(request: FastifyRequest, reply: FastifyReply, why: Refused): void {
  // Nobody reads it yet, or any more.
  if (reply.sent || request.raw.listenerCount('error') === 0) return void request.raw.destroy()
  reply.header('connection', 'close')
  request.raw.emit('error', why)
}

/** Calls `then` once, when a body has arrived or its connection is closed. */
function onceEnded({ raw }: FastifyRequest, callback: () => void): void {
  let ended = false
  const once = () => {
    if (!ended) callback()
    ended = true
  }
  raw.once('end', once)
  raw.once('close', once)
}

/** Aborts a body that arrives more slowly than any real connection: a client that drips bytes would hold its memory for nothing. */
function endIfSlow(request: FastifyRequest, reply: FastifyReply): void {
  const { socket } = request.raw
  let before = socket.bytesRead
  const check = () => {
    const slow = socket.bytesRead - before < minProgress
    before = socket.bytesRead
    if (slow && !request.raw.readableEnded)
      abortBody(request, reply, new Refused(408, 'malformed-request', 'The request took too long to arrive.'))
  }
  // Bytes that arrived while this process was busy are read first.
  const timer = setInterval(() => setImmediate(check), checkEvery)
  onceEnded(request, () => clearInterval(timer))
}

/**
 * Memory for unfinished bodies of callers who are not signed in. When it is full, the body that has been unfinished longest is
 * aborted: honest clients finish sending in a moment, so that a flood of half-sent bodies only displaces itself.
 */
function anonymousBodyLimit() {
  let taken = 0
  const unfinished = new Set<{ bytes: number; end: () => void }>()
  return (request: FastifyRequest, reply: FastifyReply, bytes: number): void => {
    const body = {
      bytes,
      end: () =>
        abortBody(
          request,
          reply,
          new Refused(503, 'unavailable', 'Too much is being received right now. Try again in a few seconds.', {
            retry_after: 5,
          }),
        ),
    }
    const leave = (one: typeof body) => {
      if (unfinished.delete(one)) taken -= one.bytes
    }
    unfinished.add(body)
    taken += bytes
    onceEnded(request, () => leave(body))
    for (const oldest of unfinished) {
      if (taken <= maxAnonymousBytes) return
      leave(oldest)
      oldest.end()
    }
  }
}

/**
 * A limit shared by people: `inAll` units in total and `each` per person, so that nobody takes all of them. Taking units throws
 * `busy` when none are free, and returns a function that releases them.
 */
function sharedLimit({ inAll, each, busy }: { inAll: number; each: number; busy: string }) {
  let taken = 0
  const takenBy = new Map<string, number>()
  const add = (person: string, amount: number) => {
    taken += amount
    const ownTotal = (takenBy.get(person) ?? 0) + amount
    if (ownTotal > 0) takenBy.set(person, ownTotal)
    else takenBy.delete(person)
  }
  return (person: string, amount: number): (() => void) => {
    if (taken + amount > inAll || (takenBy.get(person) ?? 0) + amount > each)
      throw new Refused(503, 'unavailable', busy, { retry_after: 5 })
    add(person, amount)
    return () => add(person, -amount)
  }
}

/** How the bodies of a route are limited: `senderOf` identifies the sender by a key, or throws to refuse it. */
interface BodyRule {
  limit: number
  senderOf: (request: FastifyRequest) => Promise<string>
  /** Also identify the sender of a small body. */
  always: boolean
}

/**
 * Limits the memory of bodies, and returns the check made before a longer body is read: who sends it, whether they may, and
 * whether there is room. Without it, anybody could fill the memory with bodies that are refused in the end.
 */
export function limitBodies(app: FastifyInstance) {
  const strangers = anonymousBodyLimit()
  const usual = sharedLimit({
    inAll: 64 * maxBody,
    each: 8 * maxBody,
    busy: 'Several long requests are being received right now. Try again in a few seconds.',
  })
  // Each is held in memory several times over until it is stored.
  const files = sharedLimit({
    inAll: 4,
    each: 2,
    busy: 'Several files are being received right now. Try again in a few seconds.',
  })

  app.decorateRequest('admittedIn', 0)
  app.addHook('preParsing', async (request, reply) => {
    const bytes = Math.min(announcedLength(request), request.routeOptions.bodyLimit ?? smallBody)
    // Longer bodies are checked below, by route.
    if (bytes === 0 || bytes > smallBody) return
    strangers(request, reply, bytes)
    endIfSlow(request, reply)
  })

  return ({ limit, senderOf, always }: BodyRule) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const bytes = announcedLength(request)
      // A body announced as too long is refused elsewhere without being read; a short one needs no room here.
      if (limit <= smallBody || (Number.isFinite(bytes) && bytes > limit)) return
      if (bytes <= smallBody && !always) return
      const startedAt = Date.now()
      const sender = await senderOf(request)
      request.admittedIn = Date.now() - startedAt
      // A client that disconnected in the meantime would never release its share.
      if (request.raw.socket.destroyed) throw new Refused(408, 'malformed-request', 'The request did not arrive.')
      const giveBack = bytes > maxBody && limit > maxBody ? files(sender, 1) : usual(sender, Math.min(bytes, limit))
      reply.raw.once('close', giveBack)
      if (bytes > smallBody) endIfSlow(request, reply)
    }
}
