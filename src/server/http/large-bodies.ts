import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkApplication } from '#server/auth/application-key.ts'
import { authenticate, bearerToken, notSignedIn } from '#server/auth/session.ts'
import { callerOf } from '#server/http/handle.ts'
import type { ReadyRoute, Services } from '#server/http/route.ts'
import { Refused } from '#server/refused.ts'

/** Bytes of any other body at most. */
export const usualBody = 1_048_576
/** Larger ones that are taken at once: each lies in memory until it is kept. */
const mostAtOnce = 4

/**
 * What is asked before the body of a call with a file is read: who sends it, and whether there is room. Without, anybody could
 * fill the memory with what is refused in the end.
 */
export function admissionOf(services: Services, { endpoint, admits }: ReadyRoute) {
  let underWay = 0
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { db, auth } = services
    const { headers } = request
    const now = new Date()
    await checkApplication(db, headers, endpoint, auth)
    if (admits) await admits({ db, auth, caller: callerOf(request), headers, now })
    else {
      const token = bearerToken(headers.authorization)
      if (token === null) throw notSignedIn()
      await authenticate(db as never, token, now, { activity: false, absoluteSeconds: auth.absoluteSeconds })
    }
    if (Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= usualBody) return
    if (underWay >= mostAtOnce)
      throw new Refused(503, 'unavailable', 'Several files are being received right now. Try again in a few seconds.', {
        retry_after: 5,
      })
    underWay += 1
    reply.raw.once('close', () => {
      underWay -= 1
    })
  }
}
