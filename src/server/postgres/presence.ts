import { Client } from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, messageOf } from '#server/cannot-start.ts'
import { type Cluster, openCluster, stopCluster, wrongPassword } from '#server/postgres/cluster.ts'
import type { ClusterOptions } from '#server/postgres/start-cluster.ts'
import { isPostgres, readPostmaster } from '#server/postgres/postmaster.ts'

/** Lock taken on arrival and departure, so that nobody arrives at a PostgreSQL that is being stopped. */
const door = 4_184_001
const name = 'admin-portal presence'
/** Milliseconds before looking for a lost PostgreSQL again: exponential backoff. */
const firstWait = 200
const maxWait = 10_000
/** Milliseconds between checks whether somebody is stopping it. */
const lookEvery = 2_000

export interface Presence {
  /** Current postgres:// address of a database for a role of the cluster. */
  url: Cluster['url']
  /** Leaves; the last process to leave stops PostgreSQL. */
  leave: () => Promise<void>
}

/**
 * Opens the cluster of a data folder and stays connected to it, visible to the other processes that share it. If PostgreSQL ends
 * while a process stays, it is started again; if it receives a signal for a smart shutdown, which waits for connected clients, it
 * is stopped fast instead, since they would stay.
 */
export async function enterCluster(dataFolder: string, options: ClusterOptions = {}): Promise<Presence> {
  let { cluster, client } = await arrive(dataFolder, options)
  let leaving = false
  let returning: Promise<void> = Promise.resolve()
  const comeBack = async (): Promise<void> => {
    for (let wait = firstWait; !leaving; wait = Math.min(2 * wait, maxWait)) {
      await sleep(wait, undefined, { ref: false })
      if (leaving) return
      try {
        const isGone = !isPostgres(readPostmaster(cluster.folder)?.pid ?? 0)
        const again = await arrive(dataFolder, { ...options, port: cluster.port })
        if (isGone) console.error(`PostgreSQL in ${cluster.folder} had ended, and was started again.`)
        cluster = again.cluster
        client = again.client
        stay()
        return
      } catch (error) {
        console.error(`PostgreSQL in ${cluster.folder} does not come back: ${messageOf(error)}`)
      }
    }
  }
  const stay = (): void => {
    client.once('end', () => {
      returning = comeBack()
    })
  }
  stay()
  const watch = setInterval(() => {
    if (readPostmaster(cluster.folder)?.stopping) stopCluster(cluster.folder).catch(() => undefined)
  }, lookEvery).unref()
  let departure: Promise<void> | undefined
  const leave = (): Promise<void> => {
    leaving = true
    clearInterval(watch)
    departure ??= returning.then(() => leaveCluster(cluster, client))
    return departure
  }
  return { url: (database, role) => cluster.url(database, role), leave }
}

async function arrive(dataFolder: string, options: ClusterOptions): Promise<{ cluster: Cluster; client: Client }> {
  for (let attempt = 1; ; attempt += 1) {
    const cluster = await openCluster(dataFolder, options)
    try {
      return { cluster, client: await enter(cluster) }
    } catch (error) {
      if (codeOf(error) === '28P01') throw wrongPassword(cluster.folder)
      // It was stopping on arrival: waits for its end and starts it again.
      if (attempt >= 20 || !isGoing(error)) throw error
      await sleep(100)
    }
  }
}

const isGoing = (error: unknown): boolean =>
  ['57P01', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(codeOf(error)) ||
  /terminated unexpectedly|Connection ended/.test(String(error))

async function enter(cluster: Cluster): Promise<Client> {
  const client = new Client({ connectionString: cluster.url('postgres'), application_name: name, keepAlive: true })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('select pg_advisory_lock($1)', [door])
  await client.query('select pg_advisory_unlock($1)', [door])
  return client
}

async function leaveCluster(cluster: Cluster, client: Client): Promise<void> {
  try {
    await client.query('select pg_advisory_lock($1)', [door])
    const { rows } = await client.query<{ others: number }>(
      'select count(*)::int as others from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()',
      [name],
    )
    if (rows[0]?.others === 0) await stopCluster(cluster.folder)
  } catch (error) {
    if (!isGoing(error) && codeOf(error)) throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}
