import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the person who is signed in, once that is known. */
    person: string | null
    /** Name of the intent of a change, once that is known. */
    intent: string | null
  }
}

const idHeader = 'x-request-id'
/** W3C Trace Context: version, trace id, parent id, flags. */
const traceparent = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/

/** The id of a request: that of a proxy (`X-Request-Id`), else of a trace (`traceparent`), else a new one. */
export function requestId({ headers }: IncomingMessage): string {
  const given = headers[idHeader]
  if (typeof given === 'string' && /^[\w.-]{8,100}$/.test(given)) return given
  return traceparent.exec(String(headers['traceparent']))?.[1] ?? randomUUID()
}

/**
 * Names every answer by the id of its request, and logs one line per request at the level `info`: without its address, whose
 * filters and searches may be personal data.
 */
export function logRequests(app: FastifyInstance): void {
  app.decorateRequest('person', null)
  app.decorateRequest('intent', null)
  app.addHook('onRequest', async (request, reply) => void reply.header(idHeader, request.id))
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        intent: request.intent,
        person: request.person,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
}
