import { createHmac } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotStart, codeOf } from '#server/cannot-start.ts'
import { type Binaries, binaries } from '#server/postgres/binaries.ts'
import { makeCluster, passwordFile, superuser, unwritable } from '#server/postgres/make-cluster.ts'
import { forgetPostmaster, isPostgres, readPostmaster } from '#server/postgres/postmaster.ts'
import { isAlive, run } from '#server/postgres/program.ts'
import { runAs } from '#server/postgres/run-as.ts'
import { type ClusterOptions, logFile, patience, startPostgres } from '#server/postgres/start-cluster.ts'

/** The embedded PostgreSQL of a data folder. */
export interface Cluster {
  /** Folder of the cluster, inside the data folder. */
  folder: string
  port: number
  /** postgres:// address of one of its databases, for the superuser or another of its roles. */
  url: (database: string, role?: string) => string
}

/** Milliseconds within which the backends of a killed PostgreSQL notice and exit. */
const untilBackendsEnd = 500

/** Creates the cluster of a data folder if there is none; returns its folder. */
export async function foundCluster(
  dataFolder: string,
  programs: Binaries,
  { durable = true }: ClusterOptions = {},
): Promise<string> {
  makeWritable(dataFolder)
  const folder = join(dataFolder, 'postgres')
  if (!existsSync(folder)) await makeCluster(dataFolder, folder, programs, durable)
  return folder
}

/** Finds the PostgreSQL that runs on this folder, or starts it; a missing folder is created first. */
export async function openCluster(dataFolder: string, options: ClusterOptions = {}): Promise<Cluster> {
  const programs = await binaries()
  const folder = await foundCluster(dataFolder, programs, options)
  refuseDamaged(folder)
  const password = passwordIn(folder)
  const deadline = Date.now() + patience
  while (Date.now() < deadline) {
    const running = readPostmaster(folder)
    if (running?.ready && isPostgres(running.pid)) {
      const url = (database: string, role = superuser) =>
        `postgres://${role}:${role === superuser ? password : passwordOf(role, password)}@127.0.0.1:${running.port}/${database}`
      return { folder, port: running.port, url }
    }
    // PostgreSQL itself ignores the pid file of a dead process once its last backends are gone, too.
    if (running && isAlive(running.pid) && !isPostgres(running.pid)) {
      await sleep(untilBackendsEnd)
      forgetPostmaster(folder)
    }
    // It may be waiting for a client that does not leave.
    if (running?.stopping) await stopCluster(folder)
    else if (running && isPostgres(running.pid)) await sleep(25)
    else await startPostgres(folder, programs, options)
  }
  throw new CannotStart(`PostgreSQL in ${folder} did not get ready within 30 seconds: look into ${logFile(folder)}.`)
}

/** Derives the password of another role from the superuser's, so that only one is stored. */
const passwordOf = (role: string, superusers: string): string => createHmac('sha256', superusers).update(role).digest('base64url')

/** Stops the PostgreSQL of a folder, and waits until it is gone. */
export async function stopCluster(folder: string): Promise<void> {
  const running = readPostmaster(folder)
  if (!running || !isPostgres(running.pid)) return
  if (process.platform === 'win32') {
    const { pg_ctl } = await binaries()
    await run(runAs(folder, pg_ctl), pg_ctl, ['stop', '-D', folder, '-m', 'fast', '-w'])
    return
  }
  process.kill(running.pid, 'SIGINT')
  const deadline = Date.now() + patience
  while (Date.now() < deadline && readPostmaster(folder)?.pid === running.pid && isPostgres(running.pid)) await sleep(20)
}

function makeWritable(dataFolder: string): void {
  try {
    mkdirSync(dataFolder, { recursive: true })
    if (!statSync(dataFolder).isDirectory()) throw new Error('not a folder')
    accessSync(dataFolder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unwritable(dataFolder, error)
  }
}

function refuseDamaged(folder: string): void {
  const missing = ['PG_VERSION', 'global', 'base', 'pg_wal', passwordFile].find((name) => !existsSync(join(folder, name)))
  if (missing)
    throw new CannotStart(
      `The data folder ${folder} is damaged (${missing} is missing): restore it from a backup, or set DATA_DIR to another folder.`,
    )
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  if (version !== '18')
    throw new CannotStart(
      `The data folder ${folder} was made by PostgreSQL ${version}, this is PostgreSQL 18: set DATA_DIR to another folder, or set DATABASE_URL to a PostgreSQL ${version} on it.`,
    )
}

/** The password created by `makeCluster`: 24 bytes as base64url. */
function passwordIn(folder: string): string {
  let text: string
  try {
    text = readFileSync(join(folder, passwordFile), 'utf8').trim()
  } catch (error) {
    throw new CannotStart(
      `The file ${join(folder, passwordFile)} cannot be read (${codeOf(error)}): give your user the right to.`,
    )
  }
  if (!/^[\w-]{32}$/.test(text)) throw wrongPassword(folder)
  return text
}

/** The refusal of a cluster whose password differs from the one in its file. */
export const wrongPassword = (folder: string) =>
  new CannotStart(
    `The file ${join(folder, passwordFile)} is damaged: restore it from a backup, or set DATA_DIR to another folder.`,
  )
