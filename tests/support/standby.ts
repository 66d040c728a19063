import { appendFileSync, cpSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { type Cluster, openCluster } from '#server/postgres/cluster.ts'
import { readPostmaster } from '#server/postgres/postmaster.ts'
import { makeDatabase } from '#server/postgres/roles.ts'

/** As in production, a commit is flushed before it is acknowledged; a standby receives what is flushed. */
const flags = ['wal_level=replica', 'max_wal_senders=4', 'hot_standby=on', 'synchronous_commit=on'].flatMap((flag) => [
  '-c',
  flag,
])

/** A new PostgreSQL that standbys can follow, with an empty database of the portal. */
export async function startPrimary(dataFolder: string, database: string): Promise<Cluster> {
  const cluster = await openCluster(dataFolder, { durable: false, flags })
  await makeDatabase(cluster, database)
  return cluster
}

/**
 * A hot standby that follows by streaming, from a base backup (PostgreSQL manual, 25.3.4 and 26.2): the embedded PostgreSQL has no
 * program for it.
 */
export async function startStandby(primary: Cluster, dataFolder: string): Promise<Cluster> {
  const client = new Client({ connectionString: primary.url('postgres') })
  const folder = join(dataFolder, 'postgres')
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', true)`)
    cpSync(primary.folder, folder, { recursive: true })
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    writeFileSync(join(folder, 'backup_label'), rows[0]?.labelfile as string)
  } finally {
    await client.end()
  }
  for (const file of ['postmaster.pid', 'postmaster.opts']) rmSync(join(folder, file), { force: true })
  writeFileSync(join(folder, 'standby.signal'), '')
  const { username, password, hostname, port } = new URL(primary.url('postgres'))
  appendFileSync(
    join(folder, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
  )
  chmodSync(folder, 0o700)
  return await openCluster(dataFolder, { durable: false, flags })
}

/** Starts a standby again that has crashed, on its port. */
export const restart = ({ port }: Cluster, dataFolder: string): Promise<Cluster> =>
  openCluster(dataFolder, { durable: false, flags, port })

/** Makes a standby the primary, and waits until it is. */
export async function promote(standby: Cluster): Promise<void> {
  const client = new Client({ connectionString: standby.url('postgres') })
  await client.connect()
  try {
    await client.query('select pg_promote()')
  } finally {
    await client.end()
  }
}

/** Ends a PostgreSQL as a crash of its machine does. */
export function crash(cluster: Cluster): void {
  const running = readPostmaster(cluster.folder)
  if (running) process.kill(running.pid, 'SIGQUIT')
}
