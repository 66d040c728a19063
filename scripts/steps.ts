import { type ChildProcess, spawn } from 'node:child_process'

/** When this run began, in milliseconds. */
export const began = Date.now()
// A guard against a run that hangs. A whole run is meant to take less than 15 minutes on two cores, and takes three times that where
// the machine is slow or shared: it is not broken off for it.
const deadline = began + 75 * 60_000

let running: ChildProcess | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    running?.kill(signal)
    process.exit(130)
  })
}

/** Runs a program of Node's to its end, at most until the deadline; answers its exit code, null when it was stopped. */
export function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit', env: { ...process.env, ...env } })
    running = child
    const late = setTimeout(
      () => {
        console.log('The time of this run is over.')
        child.kill('SIGTERM')
        setTimeout(() => child.kill('SIGKILL'), 10_000).unref()
      },
      Math.max(0, deadline - Date.now()),
    )
    child.on('error', () => resolve(1))
    child.on('exit', (code) => {
      clearTimeout(late)
      resolve(code)
    })
  })
}

/** Runs a program of Node's as a step of its own, and says how it ended; true when it was good. */
export async function step(name: string, file: string, args: readonly string[]): Promise<boolean> {
  console.log(`\n${name}`)
  const good = (await run(file, args)) === 0
  console.log(good ? `${name}: good` : `${name}: FAILED`)
  return good
}

/** The steps of every run. */
export const steps = {
  types: () => step('Types', 'node_modules/typescript/bin/tsc', ['-p', '.']),
  lint: () => step('Lint and format', 'node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']),
} as const
