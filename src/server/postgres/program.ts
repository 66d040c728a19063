import { spawn } from 'node:child_process'
import { CannotStart, codeOf, messageOf } from '#server/cannot-start.ts'
import type { RunAs } from '#server/postgres/run-as.ts'

/** PostgreSQL needs none of our environment, and LC_ALL must not name a missing locale. */
export const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  LC_ALL: 'C',
  TZ: 'UTC',
  SystemRoot: process.env.SystemRoot,
})

/** Runs a program to its end; throws CannotStart with its error output. */
export function run(as: RunAs, program: string, args: readonly string[]): Promise<void> {
  const [command, rest, user] = as.command(program, args)
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, { ...user, stdio: ['ignore', 'ignore', 'pipe'], env: environment() })
    let output = ''
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0
        ? resolve()
        : reject(
            new CannotStart(
              `PostgreSQL could not be set up (${messageOf(output) || `exit ${code}`}): correct that, or set DATABASE_URL.`,
            ),
          ),
    )
  })
}

/** Whether the process exists. */
export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
