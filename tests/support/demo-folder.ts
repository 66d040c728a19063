import { setTimeout as sleep } from 'node:timers/promises'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { hasPastLeft } from '#server/money/billing/demo-days.ts'
import { isAlive } from '#server/postgres/program.ts'
import { stepsLeft } from '#server/tables/later-steps.ts'
import { databaseIn, startProcess } from '#tests/support/process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A stopped data folder with the demo company, which browser tests copy. */
    demoFolder: string
  }
}

/** The number of employees of that company. */
export const demoEmployees = 2000

/** Where the portal runs that all test files of one process share. */
export const sharedFolder = (demoFolder: string, process: string): string => `${demoFolder}-shared-${process}`
/** Its file with the process id of the server. */
export const sharedServer = 'server.pid'

/** Ends the shared portals, whose test processes have already ended. */
async function endShared(demoFolder: string): Promise<void> {
  for (const folder of globSync(sharedFolder(demoFolder, '*'))) {
    const note = join(folder, sharedServer)
    const pid = existsSync(note) ? Number(readFileSync(note, 'utf8')) : null
    if (pid !== null && isAlive(pid)) process.kill(pid, 'SIGTERM')
    for (let tries = 0; pid !== null && isAlive(pid) && tries < 200; tries++) await sleep(50)
    await rm(folder, { recursive: true, force: true })
  }
}

/** Makes the demo company once for the whole run, in a temporary folder. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'admin-portal-demo-'))
  const server = startProcess({ DATA_DIR: folder, EMPLOYEES: String(demoEmployees) })
  await server.ready
  const db = await databaseIn(folder)
  while ((await stepsLeft(db)).length > 0 || (await hasPastLeft(db))) await sleep(20)
  await db.destroy()
  server.child.kill('SIGTERM')
  await server.ended
  project.provide('demoFolder', folder)
  return async () => {
    await endShared(folder)
    await rm(folder, { recursive: true, force: true })
  }
}
