import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from '#server/http-error.ts'

/** Milliseconds after which is looked how much of a body has come since, and bytes that have come by then at least. */
const lookEvery = 10_000
const minProgress = 40_000

/** Bytes that the unfinished bodies of callers whom nobody has asked who they are may come to, all together. */
const maxAnonymousBytes = 16 * 1_048_576

/** The bytes of the body that a request announces: 0 without one, infinitely many where it does not say. */
export function announced({ method, headers }: FastifyRequest): number {
  if (method === 'GET' || method === 'HEAD') return 0
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY
  return Number(headers['content-length'] ?? 0)
}

/** Refuses a body in the middle, and closes its connection, since the rest of the body would be taken for the next request. */
function breakOff(request: FastifyRequest, reply: FastifyReply, why: Refused): void {
  // Nobody reads it yet, or any more.
  if (reply.sent || request.raw.listenerCount('error') === 0) return void request.raw.destroy()
  reply.header('connection', 'close')
  request.raw.emit('error', why)
}

/** Calls `then` once, when a body has come or its connection is gone. */
function whenOver({ raw }: FastifyRequest, then: () => void): void {
  let over = false
  const once = () => {
    if (!over) then()
    over = true
  }
  raw.once('end', once)
  raw.once('close', once)
}

/** Aborts a body that arrives more slowly than any real connection: a client that drips bytes would hold its memory for nothing. */
export function endIfSlow(request: FastifyRequest, reply: FastifyReply): void {
  const { socket } = request.raw
  let before = socket.bytesRead
  const look = () => {
    const slow = socket.bytesRead - before < minProgress
    before = socket.bytesRead
    if (slow && !request.raw.readableEnded)
      breakOff(request, reply, new Refused(408, 'malformed-request', 'The request took too long to arrive.'))
  }
  // What came while this process was busy is read first.
  const timer = setInterval(() => setImmediate(look), lookEvery)
  whenOver(request, () => clearInterval(timer))
}

/**
 * Memory for unfinished bodies of callers who are not signed in. When it is full, the body that has been unfinished longest is
 * aborted: honest clients finish sending in a moment, so that a flood of half-sent bodies only displaces itself.
 */
export function roomOfStrangers() {
  let taken = 0
  const unfinished = new Set<{ bytes: number; end: () => void }>()
  return (request: FastifyRequest, reply: FastifyReply, bytes: number): void => {
    const body = {
      bytes,
      end: () =>
        breakOff(
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
    whenOver(request, () => leave(body))
    for (const oldest of unfinished) {
      if (taken <= maxAnonymousBytes) return
      leave(oldest)
      oldest.end()
    }
  }
}

/**
 * Room that people share: of something there is so much `inAll`, and for `each` of them so much at once, so that nobody has all of
 * it. Taking some throws `busy` where it is full, and answers what gives it back.
 */
export function sharedRoom({ inAll, each, busy }: { inAll: number; each: number; busy: string }) {
  let taken = 0
  const takenBy = new Map<string, number>()
  const add = (who: string, amount: number) => {
    taken += amount
    const theirs = (takenBy.get(who) ?? 0) + amount
    if (theirs > 0) takenBy.set(who, theirs)
    else takenBy.delete(who)
  }
  return (who: string, amount: number): (() => void) => {
    if (taken + amount > inAll || (takenBy.get(who) ?? 0) + amount > each)
      throw new Refused(503, 'unavailable', busy, { retry_after: 5 })
    add(who, amount)
    return () => add(who, -amount)
  }
}
