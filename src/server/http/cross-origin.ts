import type { FastifyInstance } from 'fastify'

/** What the portal sends, and what it reads of an answer beside the body. */
const sent = [
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
/** Seconds for which a browser need not ask again. */
const remembered = '600'

/**
 * Lets the portal of other origins call the API (CORS). Every other origin is answered as before, so its pages cannot
 * read an answer. No cookie is ever allowed: a call carries its token itself.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith('/api')) return
    reply.header('vary', 'origin')
    const { origin, 'access-control-request-method': asked } = request.headers
    if (origin === undefined || !origins.includes(origin)) return
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', read)
    if (request.method !== 'OPTIONS' || asked === undefined) return
    return reply
      .code(204)
      .header('access-control-allow-methods', methods)
      .header('access-control-allow-headers', sent)
      .header('access-control-max-age', remembered)
      .send()
  })
}
