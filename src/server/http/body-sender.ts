import type { FastifyRequest } from 'fastify'
import { type Need, may } from '#domain/permissions.ts'
import { checkApplication } from '#server/auth/application-key.ts'
import { authenticate, bearerToken, notSignedIn } from '#server/auth/session.ts'
import { callerOf } from '#server/http/handle.ts'
import { requirePermission } from '#server/http/validate-intent.ts'
import { isPublic, type ReadyRoute, type Services } from '#server/http/route.ts'
import { maxBody, smallBody } from '#server/limits/bodies.ts'

/** Maximum number of bytes of a body of the route. */
export const bodyLimitOf = (route: ReadyRoute): number =>
  route.endpoint.largest ?? (isPublic(route) && !route.admits ? smallBody : maxBody)

/** The sender of a body, as a key for limits; throws when the sender is refused or may do nothing with the route. */
export async function bodySender({ db, auth }: Services, route: ReadyRoute, request: FastifyRequest): Promise<string> {
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
