import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { fileLanes, laneOf } from '#domain/import.ts'
import type { Replicas } from '#server/postgres/replicas.ts'
import { isOverWithin } from '#server/timeout.ts'
import type { Database } from '#server/tables/database.ts'

/** What is measured besides the process itself. */
export interface Measured {
  app: FastifyInstance
  /** Background connections: a scrape must not wait for those of requests. */
  db: Kysely<Database>
  /** Connection pools by name. */
  pools: Readonly<Record<string, Pool>>
  replicas: Replicas | null
}

/** Milliseconds for the figures of the database; without an answer they are left out. */
const databaseTimeout = 2_000
const prefix = 'admin_portal_'

/** Jobs by kind: those under way, and the age of the oldest one in seconds. */
const jobs = sql<{ kind: string; count: number; age: number }>`
  select kind, count(at)::int as count, coalesce(extract(epoch from now() - min(at)), 0)::float8 as age from (
    select 'run' as kind, created_at as at from runs where state = 'running'
    union all select 'export', created_at from exports where state in ('waiting', 'running')
    union all select 'import', received_at from imports where status = 'PENDING'
    union all select 'mail', created_at from outbox where sent_at is null and expires_at > now()
    union all values ('run', null::timestamptz), ('export', null), ('import', null), ('mail', null)
  ) waiting group by kind`

/** Files to import: their sizes in bytes, and whether they wait for their turn. */
const files = sql<{ size: number; state: (typeof fileStates)[number] }>`
  select size, case when phase is null then 'waiting' else 'running' end as state from imports where status = 'PENDING'`
const fileStates = ['waiting', 'running'] as const

/** Standbys and how far they are behind, in seconds. Only a member of pg_monitor sees figures of other roles. */
const standbys = sql<{ name: string; delay: number | null }>`
  select application_name as name, extract(epoch from replay_lag)::float8 as delay from pg_stat_replication where state is not null`

/** Registers everything that `/metrics` shows, in units and names after Prometheus' conventions; `refresh` reads the database. */
function registerAll({ app, db, pools, replicas }: Measured): { registry: Registry; refresh: () => Promise<void> } {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Histogram({
    name: `${prefix}request_duration_seconds`,
    help: 'Requests by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  app.addHook('onResponse', async (request, reply) => {
    // Addresses without a route would be a series each.
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode }
    requests.observe(labels, reply.elapsedTime / 1_000)
  })
  new Gauge({
    name: `${prefix}database_connections`,
    help: 'Connections of this process by pool and state; waiting is the number of calls for one.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'used' }, totalCount - idleCount)
        this.set({ pool, state: 'idle' }, idleCount)
        this.set({ pool, state: 'waiting' }, waitingCount)
      }
    },
  })
  if (replicas)
    new Counter({
      name: `${prefix}reads_total`,
      help: 'Reads that may go to a replica, by where they went.',
      labelNames: ['place'],
      registers,
      collect() {
        this.reset()
        for (const [place, count] of Object.entries(replicas.reads)) this.inc({ place }, count)
      },
    })
  const counts = new Gauge({
    name: `${prefix}jobs`,
    help: 'Jobs that wait or run, in all processes.',
    labelNames: ['kind'],
    registers,
  })
  const ages = new Gauge({
    name: `${prefix}oldest_job_seconds`,
    help: 'Age of the oldest of these jobs.',
    labelNames: ['kind'],
    registers,
  })
  const imports = new Gauge({
    name: `${prefix}imports`,
    help: 'Files to import that wait or run, by lane, in all processes.',
    labelNames: ['lane', 'state'],
    registers,
  })
  const delays = new Gauge({
    name: `${prefix}replication_delay_seconds`,
    help: 'How far a standby is behind, if the role of the server is a member of pg_monitor.',
    labelNames: ['standby'],
    registers,
  })
  const up = new Gauge({
    name: `${prefix}database_up`,
    help: 'Whether the database answered this scrape in time.',
    registers,
  })
  const read = async (): Promise<boolean> => {
    for (const { kind, count, age } of (await jobs.execute(db)).rows) {
      counts.set({ kind }, count)
      ages.set({ kind }, age)
    }
    for (const lane of fileLanes) for (const state of fileStates) imports.set({ lane, state }, 0)
    for (const { size, state } of (await files.execute(db)).rows) imports.inc({ lane: laneOf(size), state })
    for (const { name, delay } of (await standbys.execute(db)).rows) delays.set({ standby: name }, delay ?? 0)
    return true
  }
  const refresh = async (): Promise<void> => {
    for (const gauge of [counts, ages, imports, delays]) gauge.reset()
    const reading = read().catch(() => false)
    up.set((await isOverWithin(databaseTimeout, reading)) && (await reading) ? 1 : 0)
  }
  return { registry, refresh }
}

/** A running listener of `/metrics`. */
export interface MetricsListener {
  address: string
  close: () => Promise<void>
}

/**
 * Serves `/metrics` in Prometheus' text format on a port of its own, so that it is never reachable where people come in. Rejects
 * if the port is taken.
 */
export async function serveMetrics(measured: Measured, { port, host }: { port: number; host: string }): Promise<MetricsListener> {
  const { registry, refresh } = registerAll(measured)
  const text = () => refresh().then(() => registry.metrics())
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end()
    text().then(
      (body) => response.writeHead(200, { 'content-type': registry.contentType }).end(body),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  return {
    address: `http://${host}:${taken}/metrics`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
