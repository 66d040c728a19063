import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CannotStart, codeOf, messageOf } from '#server/cannot-start.ts'
import type { Binaries } from '#server/postgres/binaries.ts'
import { isAlive, run } from '#server/postgres/program.ts'
import { runAs } from '#server/postgres/run-as.ts'

export const superuser = 'portal'
/** File with the superuser's password, inside the cluster. */
export const passwordFile = 'portal.password'

/** The refusal of a data folder that cannot be written. */
export const unwritable = (dataFolder: string, error: unknown) =>
  new CannotStart(
    `The data folder ${dataFolder} cannot be written (${codeOf(error) || messageOf(error)}): give your user the right to, or set DATA_DIR to another folder.`,
  )

/** Creates the cluster in a temporary folder and renames it in one step, so that a partial one is never found. */
export async function makeCluster(dataFolder: string, folder: string, programs: Binaries, durable: boolean): Promise<void> {
  for (const leftover of readdirSync(dataFolder).filter((name) => /^postgres\.new-\d+$/.test(name))) {
    if (!isAlive(Number(leftover.split('-').at(-1)))) rmSync(join(dataFolder, leftover), { recursive: true, force: true })
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
      ...(durable ? [] : ['--no-sync']),
    ])
    renameSync(notedPassword, join(fresh, passwordFile))
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    // Another process that started at the same time was first.
    if (existsSync(folder) && ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) return
    if (['EACCES', 'EROFS', 'ENOSPC', 'EPERM'].includes(codeOf(error))) throw unwritable(dataFolder, error)
    throw error
  } finally {
    rmSync(notedPassword, { force: true })
  }
}
