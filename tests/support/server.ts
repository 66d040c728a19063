import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { type AppSettings, createApp } from '#server/http/app.ts'
import { currentApplicationKey } from '#server/auth/application-key.ts'
import type { AuthSettings } from '#server/auth/settings.ts'
import { loadRoutes } from '#server/http/route-table.ts'
import type { RouteTable, Services } from '#server/http/route.ts'
import type { Database } from '#server/tables/database.ts'
import { settingOf } from '#server/tables/setting.ts'
import { createDatabase } from '#tests/support/database.ts'
import { unreadableIn } from '#tests/support/history.ts'
import { testAuth } from '#tests/support/people.ts'

export interface TestServer {
  app: FastifyInstance
  db: Kysely<Database>
  pool: Pool
  /** As the owner of the schema. */
  owner: Kysely<Database>
  /** Database URLs for a separate process: as the application, and as the owner. */
  urls: { DATABASE_URL: string; MIGRATION_DATABASE_URL: string }
  services: Services
  /** `http://127.0.0.1:{port}` */
  origin: string
  /** The headers of a call without a person. */
  application: Record<string, string>
  close: () => Promise<void>
}

export interface TestServerOptions {
  auth?: Partial<AuthSettings>
  app?: Partial<AppSettings>
  /** Replaces the project's own routes. */
  routes?: RouteTable
  /** Changes the services before the application is created. */
  change?: (services: Services) => Services
}

/** A separate server with its own database, listening on a real port. */
export async function createServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = await createDatabase()
  const made: Services = {
    db: database.db,
    changing: database.db,
    background: { db: database.db, pool: database.pool, replicas: null },
    replicas: null,
    auth: { ...testAuth, ...options.auth },
    cursorSecret: (await settingOf(database.db, 'cursor-secret')) as string,
    routes: options.routes ?? (await loadRoutes()),
    answerWithin: 30_000,
    stopping: new AbortController().signal,
    checkAnswers: true,
  }
  const services = options.change?.(made) ?? made
  const app = await createApp(services, {
    logLevel: process.env.LOG_LEVEL ?? 'silent',
    trustProxy: false,
    environment: 'local',
    apiBase: '/api',
    publicApplicationKey: services.auth.publicApplicationKey,
    portalOrigins: [],
    publicUrl: undefined,
    ...options.app,
  })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const application = { 'application-key': await currentApplicationKey(database.db), 'application-name': 'ADMIN_PORTAL' }
  const close = async (): Promise<void> => {
    await app.close()
    // All changes of a test must be readable in the history of their record.
    const faults = await unreadableIn(database.owner)
    await database.drop()
    if (faults.length > 0) throw new Error(`Not in words in the history:\n${faults.join('\n')}`)
  }
  const { db, pool, owner, url, ownerUrl } = database
  const urls = { DATABASE_URL: url, MIGRATION_DATABASE_URL: ownerUrl }
  return { app, db, pool, owner, urls, services, origin, application, close }
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the test says what it expects
  body: any
}

/** The status of an answer, and its message for each invalid field by name. */
export const messagesOf = ({ status, body }: Answer) => ({
  status,
  ...Object.fromEntries((body.errors ?? []).map((each: { path: string; message: string }) => [each.path, each.message])),
})

/** These headers with a new idempotency key, which each change of money needs. */
export const keyed = (headers: Record<string, string> = {}): Record<string, string> => ({
  ...headers,
  'idempotency-key': randomUUID(),
})

/** A body without the id of its request, which is a different one in every problem document. */
function withoutRequest(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('request_id' in body)) return body
  const { request_id: _, ...rest } = body
  return rest
}

/** Calls the API under /api in the process. Sends exactly what it is given, `body` as JSON. */
export async function call(
  server: TestServer,
  method: string,
  path: string,
  { headers = server.application, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<Answer> {
  const response = await server.app.inject({
    method: method as 'GET',
    url: `/api${path}`,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  const text = response.payload
  return {
    status: response.statusCode,
    headers: new Headers(response.headers as Record<string, string>),
    body: text === '' ? undefined : withoutRequest(JSON.parse(text)),
  }
}
