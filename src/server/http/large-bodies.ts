import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Need, may } from '#domain/permissions.ts'
import { checkApplication } from '#server/auth/application-key.ts'
import { authenticate, bearerToken, notSignedIn } from '#server/auth/session.ts'
import { announced, endIfSlow, roomOfStrangers, sharedRoom } from '#server/http/body-limits.ts'
import { callerOf } from '#server/http/handle.ts'
import { requirePermission } from '#server/http/validate-intent.ts'
import { isPublic, type ReadyRoute, type Services } from '#server/http/route.ts'
import { Refused } from '#server/http-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Milliseconds that it took to find out who sends the body: the answer comes so much sooner (D24). */
    admittedIn: number
  }
}

/** Bytes of a body at most that is read before anybody has asked who sends it. */
export const smallBody = 16_384
/** Bytes of any body at most that carries no file. */
const usualBody = 1_048_576

/** Bytes that the body of a route has at most. */
export const bodyLimitOf = (route: ReadyRoute): number =>
  route.endpoint.largest ?? (isPublic(route) && !route.admits ? smallBody : usualBody)

/**
 * Bounds what bodies take of the memory before anybody reads them, and answers what is asked before a longer one of a route is read:
 * who sends it, whether they may, and whether there is room. Without, anybody could fill the memory with what is refused in the end.
 */
export function boundBodies(app: FastifyInstance, services: Services) {
  const strangers = roomOfStrangers()
  const usual = sharedRoom({
    inAll: 64 * usualBody,
    each: 8 * usualBody,
    busy: 'Several long requests are being received right now. Try again in a few seconds.',
  })
  // Each lies in memory, several times over, until it is kept.
  const files = sharedRoom({
    inAll: 4,
    each: 2,
    busy: 'Several files are being received right now. Try again in a few seconds.',
  })

  app.addHook('preParsing', async (request, reply) => {
    const bytes = Math.min(announced(request), request.routeOptions.bodyLimit ?? smallBody)
    // A longer one is asked for below.
    if (bytes === 0 || bytes > smallBody) return
    strangers(request, reply, bytes)
    endIfSlow(request, reply)
  })

  return (route: ReadyRoute) => {
    const limit = bodyLimitOf(route)
    return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const bytes = announced(request)
      // One that says itself that it is too long is refused without a look at it; a short one needs no room here.
      if (limit <= smallBody || (Number.isFinite(bytes) && bytes > limit)) return
      if (bytes <= smallBody && !route.admits) return
      const startedAt = Date.now()
      const who = await senderOf(services, route, request)
      request.admittedIn = Date.now() - startedAt
      // A client that disconnected in the meantime would never release its share.
      if (request.raw.socket.destroyed) throw new Refused(408, 'malformed-request', 'The request did not arrive.')
      const giveBack = bytes > usualBody && limit > usualBody ? files(who, 1) : usual(who, Math.min(bytes, limit))
      reply.raw.once('close', giveBack)
      if (bytes > smallBody) endIfSlow(request, reply)
    }
  }
}

/** Who sends a body, by a name that shares room with no other; throws what refuses them, or that they may do nothing of the call. */
async function senderOf({ db, auth }: Services, route: ReadyRoute, request: FastifyRequest): Promise<string> {
  const { endpoint, admits, intents } = route
  const { headers } = request
  const now = new Date()
  await checkApplication(db, headers, endpoint, auth)
  if (admits) {
    await admits({ db, auth, caller: callerOf(request), headers, now })
    return endpoint.path
  }
  const token = bearerToken(headers.authorization)
  if (token === null) throw notSignedIn()
  const actor = await authenticate(db, token, now, { activity: false, absoluteSeconds: auth.absoluteSeconds })
  const needs = intents.length > 0 ? intents.map(({ intent }) => intent.needs) : [endpoint.needs]
  if (needs.every((need) => may(actor.held, need as Need<unknown>) === 'no')) requirePermission(actor, needs[0] as Need<never>)
  return `person ${actor.id}`
}
