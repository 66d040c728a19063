import { spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotStart, codeOf, messageOf } from '#server/cannot-start.ts'
import { type Binaries, binaries } from '#server/postgres/binaries.ts'
import { forgetPostmaster, isPostgres, readPostmaster } from '#server/postgres/postmaster.ts'
import { type RunAs, giveTo, runAs } from '#server/postgres/run-as.ts'

/** The embedded PostgreSQL of a data folder. */
export interface Cluster {
  /** Folder of the cluster, inside the data folder. */
  folder: string
  port: number
  /** postgres:// address of a database in it, for the superuser or another of its roles. */
  url: (database: string, role?: string) => string
}

export interface ClusterOptions {
  /** False only where losing everything is fine: in tests. */
  durable?: boolean
  /** Taken where nothing else has it: who knows a PostgreSQL that has to be started again finds it where it was. */
  port?: number
  flags?: readonly string[]
}

const superuser = 'portal'
const passwordFile = 'portal.password'
const patience = 30_000
/** Milliseconds in which the processes of a PostgreSQL that was killed notice, and end. */
const untilBackendsEnd = 500

/** Finds the PostgreSQL that runs on this folder, or starts it; a new folder is made first. */
export async function openCluster(dataFolder: string, options: ClusterOptions = {}): Promise<Cluster> {
  makeWritable(dataFolder)
  const programs = await binaries()
  const folder = join(dataFolder, 'postgres')
  if (!existsSync(folder)) await initialise(dataFolder, folder, programs, options)
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
    // One that is gone is forgotten by PostgreSQL itself, once its last processes are gone, too.
    if (running && isAlive(running.pid) && !isPostgres(running.pid)) {
      await sleep(untilBackendsEnd)
      forgetPostmaster(folder)
    }
    if (running && isPostgres(running.pid)) await sleep(25)
    else await start(folder, programs, options)
  }
  throw new CannotStart(`PostgreSQL in ${folder} did not get ready within 30 seconds: look into ${logFile(folder)}.`)
}

/** The password of another role follows from the superuser's, so that only one is kept. */
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

const unwritable = (dataFolder: string, error: unknown) =>
  new CannotStart(
    `The data folder ${dataFolder} cannot be written (${codeOf(error) || messageOf(error)}): give your user the right to, or set DATA_DIR to another folder.`,
  )

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

/** The password that `initialise` made up: 24 bytes as base64url. */
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

/** The refusal of a cluster whose password is not the one that its file keeps. */
export const wrongPassword = (folder: string) =>
  new CannotStart(
    `The file ${join(folder, passwordFile)} is damaged: restore it from a backup, or set DATA_DIR to another folder.`,
  )

/** Makes the cluster beside its place and moves it there in one step: half of one is never found. */
async function initialise(dataFolder: string, folder: string, programs: Binaries, options: ClusterOptions): Promise<void> {
  for (const left of readdirSync(dataFolder).filter((name) => /^postgres\.new-\d+$/.test(name))) {
    if (!isAlive(Number(left.split('-').at(-1)))) rmSync(join(dataFolder, left), { recursive: true, force: true })
  }
  const fresh = join(dataFolder, `postgres.new-${process.pid}`)
  const password = randomBytes(24).toString('base64url')
  const notedPassword = join(dataFolder, `password.new-${process.pid}`)
  try {
    mkdirSync(fresh, { mode: 0o700 })
    const as = runAs(fresh, programs.initdb)
    writeFileSync(notedPassword, `${password}\n`, { mode: 0o600 })
    if (as.user) for (const path of [fresh, notedPassword]) chownSync(path, as.user.uid, as.user.gid)
    await run(as, programs.initdb, [
      `--pgdata=${fresh}`,
      `--username=${superuser}`,
      `--pwfile=${notedPassword}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(options.durable === false ? ['--no-sync'] : []),
    ])
    renameSync(notedPassword, join(fresh, passwordFile))
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    // Another process that started at the same moment was first.
    if (existsSync(folder) && ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) return
    if (['EACCES', 'EROFS', 'ENOSPC', 'EPERM'].includes(codeOf(error))) throw unwritable(dataFolder, error)
    throw error
  } finally {
    rmSync(notedPassword, { force: true })
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

const logFile = (folder: string) => join(folder, 'portal.log')

/** Starts PostgreSQL on its own, so that it outlives this process; comes back when it is ready or has given up. */
async function start(folder: string, programs: Binaries, options: ClusterOptions): Promise<void> {
  const as = runAs(folder, programs.postgres)
  if (as.user) giveTo(as.user, folder)
  const log = openSync(logFile(folder), 'w', 0o600)
  const flags = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: '256MB',
    work_mem: '16MB',
    maintenance_work_mem: '256MB',
    effective_cache_size: '2GB',
    random_page_cost: '1.1',
    max_wal_size: '4GB',
    wal_compression: 'on',
    checkpoint_completion_target: '0.9',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    ...(options.durable === false ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  }
  const [program, args, user] = as.command(programs.postgres, [
    '-D',
    folder,
    '-p',
    String(await freePort(options.port)),
    ...Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ...(options.flags ?? []),
  ])
  const child = spawn(program, args, { ...user, cwd: folder, detached: true, stdio: ['ignore', log, log], env: environment() })
  closeSync(log)
  let ended: string | null = null
  child.once('error', (error) => {
    ended = messageOf(error)
  })
  child.once('exit', () => {
    ended ??= lastComplaint(folder)
  })
  child.unref()
  const deadline = Date.now() + patience
  while (ended === null && Date.now() < deadline) {
    const running = readPostmaster(folder)
    if (running?.ready && isPostgres(running.pid)) return
    await sleep(15)
  }
  if (ended !== null) judgeEnd(folder, ended)
}

/** A start that ended: another one was first, the port was taken in between, or the folder is damaged. */
function judgeEnd(folder: string, complaint: string): void {
  if (/lock file .* already exists|shared memory block .* is still in use|could not create any TCP/.test(complaint)) return
  throw new CannotStart(
    `PostgreSQL does not start on ${folder} (${complaint}): restore the folder from a backup, or set DATA_DIR to another folder.`,
  )
}

/** What PostgreSQL said last: its fatal lines with their details, else whatever it said. */
function lastComplaint(folder: string): string {
  const lines = saidIn(folder)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const fatal = lines.filter((line) => /\b(FATAL|PANIC|DETAIL|HINT):/.test(line))
  const said = (fatal.length > 0 ? fatal.slice(0, 2) : lines.slice(-3)).map((line) =>
    line.replace(/^.*?(FATAL|PANIC|DETAIL|HINT|postgres):\s*/, ''),
  )
  return messageOf(said.join(' ')) || 'it ended without a word'
}

const saidIn = (folder: string): string => {
  try {
    return readFileSync(logFile(folder), 'utf8')
  } catch {
    // The folder was thrown away meanwhile.
    return ''
  }
}

/** PostgreSQL needs none of our settings, and LC_ALL must not name a locale that is not there. */
const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  LC_ALL: 'C',
  TZ: 'UTC',
  SystemRoot: process.env.SystemRoot,
})

/** Runs a program to its end; throws CannotStart with what it said. */
function run(as: RunAs, program: string, args: readonly string[]): Promise<void> {
  const [command, rest, user] = as.command(program, args)
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, { ...user, stdio: ['ignore', 'ignore', 'pipe'], env: environment() })
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0
        ? resolve()
        : reject(
            new CannotStart(
              `PostgreSQL could not be set up (${messageOf(said) || `exit ${code}`}): correct that, or set DATABASE_URL.`,
            ),
          ),
    )
  })
}

/** The port that is wished for, or any other where something has it. */
const freePort = (wished = 0): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => (wished === 0 ? reject(error) : resolve(freePort())))
    server.listen(wished, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
