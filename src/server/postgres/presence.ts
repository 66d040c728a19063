import { Client } from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '#server/cannot-start.ts'
import { type Cluster, type ClusterOptions, openCluster, stopCluster } from '#server/postgres/cluster.ts'

/** Taken by whoever comes or goes, so that nobody arrives at a PostgreSQL that is being stopped. */
const door = 4_184_001
const name = 'admin-portal presence'

export interface Presence {
  cluster: Cluster
  /** Leaves; the last one to leave stops PostgreSQL. */
  leave: () => Promise<void>
}

/** Opens the cluster of a data folder and stays in it, seen by the other processes that share it. */
export async function enterCluster(dataFolder: string, options: ClusterOptions = {}): Promise<Presence> {
  for (let attempt = 1; ; attempt += 1) {
    const cluster = await openCluster(dataFolder, options)
    try {
      let client = await enter(cluster)
      let leaving = false
      // Keeps being seen after PostgreSQL itself was restarted.
      const stay = (current: Client): void => {
        current.once('end', async () => {
          while (!leaving) {
            await sleep(500)
            const again = await enter(cluster).catch(() => null)
            if (again) {
              client = again
              stay(again)
              return
            }
          }
        })
      }
      stay(client)
      let left: Promise<void> | undefined
      const leave = (): Promise<void> => {
        leaving = true
        left ??= leaveCluster(cluster, client)
        return left
      }
      return { cluster, leave }
    } catch (error) {
      // It was stopping when we came: wait for its end and start it again.
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
