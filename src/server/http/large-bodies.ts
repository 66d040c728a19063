import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Need, may } from '#domain/permissions.ts'
import { checkApplication } from '#server/auth/application-key.ts'
import { authenticate, bearerToken, notSignedIn } from '#server/auth/session.ts'
import { announcedLength, endIfSlow, anonymousBodyLimit, sharedLimit } from '#server/http/body-limits.ts'
import { callerOf } from '#server/http/handle.ts'
import { requirePermission } from '#server/http/validate-intent.ts'
import { isPublic, type ReadyRoute, type Services } from '#server/http/route.ts'
import { Refused } from '#server/http-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Milliseconds spent on identifying the sender of the body; they are subtracted from the time limit of the answer (D24). */
    admittedIn: number
  }
}

/** Maximum number of bytes of a body that is read before its sender is identified. */
export const smallBody = 16_384
/** Maximum number of bytes of a body without a file. */
const maxBody = 1_048_576

/** Maximum number of bytes of a body of the route. */
export const bodyLimitOf = (route: ReadyRoute): number =>
  route.endpoint.largest ?? (isPublic(route) && !route.admits ? smallBody : maxBody)

/**
 * Limits the memory of bodies, and returns the check made before a longer body is read: who sends it, whether they may, and
 * whether there is room. Without it, anybody could fill the memory with bodies that are refused in the end.
 */
export function limitBodies(app: FastifyInstance, services: Services) {
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

  app.addHook('preParsing', async (request, reply) => {
    const bytes = Math.min(announcedLength(request), request.routeOptions.bodyLimit ?? smallBody)
    // Longer bodies are checked below, by route.
    if (bytes === 0 || bytes > smallBody) return
    strangers(request, reply, bytes)
    endIfSlow(request, reply)
  })

  return (route: ReadyRoute) => {
    const limit = bodyLimitOf(route)
    return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const bytes = announcedLength(request)
      // A body announced as too long is refused elsewhere without being read; a short one needs no room here.
      if (limit <= smallBody || (Number.isFinite(bytes) && bytes > limit)) return
      if (bytes <= smallBody && !route.admits) return
      const startedAt = Date.now()
      const sender = await senderOf(services, route, request)
      request.admittedIn = Date.now() - startedAt
      // A client that disconnected in the meantime would never release its share.
      if (request.raw.socket.destroyed) throw new Refused(408, 'malformed-request', 'The request did not arrive.')
      const giveBack = bytes > maxBody && limit > maxBody ? files(sender, 1) : usual(sender, Math.min(bytes, limit))
      reply.raw.once('close', giveBack)
      if (bytes > smallBody) endIfSlow(request, reply)
    }
  }
}

/** The sender of a body, as a key for limits; throws when the sender is refused or may do nothing with the route. */
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
