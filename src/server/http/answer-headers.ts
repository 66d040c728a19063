import type { FastifyReply, FastifyRequest } from 'fastify'

/** Policy for answers that are not pages, in case a browser is tricked into opening one as a page: nothing is allowed. */
export const nothingAllowed = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const oneYear = 31_536_000

/** Sets headers on an answer before it is sent. */
export type PutHeaders = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * Security headers of every answer. HSTS is sent where people come over TLS: by the request itself, by what a trusted proxy says
 * of it, or by the public address.
 */
export function answerHeaders(publicUrl: string | undefined): PutHeaders {
  const behindTls = publicUrl?.startsWith('https:') ?? false
  return (request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    if (request.url.startsWith('/api') && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    if (!reply.hasHeader('content-security-policy'))
      reply.header('content-security-policy', nothingAllowed).header('referrer-policy', 'no-referrer')
    if (behindTls || request.protocol === 'https') reply.header('strict-transport-security', `max-age=${oneYear}`)
  }
}
