import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { PutHeaders } from '#server/http/answer-headers.ts'

/** Headers that the portal sends, and those it reads besides the body. */
const requestHeaders = [
  'application-key',
  'application-name',
  'authorization',
  'brand',
  'command',
  'content-type',
  'device-id',
  'idempotency-key',
  'x-background',
].join(', ')
const read = 'content-disposition, retry-after'
const methods = 'GET, POST, PUT, PATCH, DELETE'
/** Seconds for which a browser may cache the preflight answer. */
const maxAgeSeconds = '600'

/**
 * Lets the portal on other origins read API answers (CORS). Other origins get no CORS headers, so that their pages cannot read
 * the answers. Credentials are never allowed: a call carries its token itself.
 */
export const corsHeadersFor =
  (origins: readonly string[]): PutHeaders =>
  (request, reply) => {
    if (origins.length === 0 || !request.url.startsWith('/api')) return
    reply.header('vary', 'origin')
    if (isPortal(request, origins))
      reply.header('access-control-allow-origin', request.headers.origin).header('access-control-expose-headers', read)
  }

const isPortal = ({ headers: { origin } }: FastifyRequest, origins: readonly string[]): boolean =>
  origin !== undefined && origins.includes(origin)

/** Answers CORS preflight requests for the API. */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  const putCorsHeaders = corsHeadersFor(origins)
  app.addHook('onRequest', async (request, reply) => {
    putCorsHeaders(request, reply)
    if (!request.url.startsWith('/api') || !isPortal(request, origins)) return
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return
    return reply
      .code(204)
      .header('access-control-allow-methods', methods)
      .header('access-control-allow-headers', requestHeaders)
      .header('access-control-max-age', maxAgeSeconds)
      .send()
  })
}
