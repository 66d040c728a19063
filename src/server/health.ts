import type { FastifyInstance } from 'fastify'
import { isMigrated } from '#server/migrate.ts'
import type { Services } from '#server/services.ts'

/** `/healthz` tells that the process lives, `/readyz` that its database answers and is up to date. */
export function health(app: FastifyInstance, { db }: Services): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    try {
      if (await isMigrated(db)) return { status: 'ready' }
    } catch (error) {
      request.log.warn({ err: error }, 'the database does not answer')
    }
    return reply.code(503).send({ status: 'not ready' })
  })
}
