import { type ChildProcess, spawn } from 'node:child_process'

/** Start time of this run, in milliseconds. */
export const began = Date.now()
// Guards against a run that hangs. A whole run should take less than 15 minutes on two cores; on a slow or shared machine it
// takes three times as long and must not be aborted.
const deadline = began + 75 * 60_000

const running = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal)
    process.exit(130)
  })
}

/** Runs a Node program to its end, at most until the deadline; returns its exit code, null if it was stopped. */
export function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number | null> {
  return ended(spawn(process.execPath, [file, ...args], { stdio: 'inherit', env: { ...process.env, ...env } }))
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    running.add(child)
    const late = setTimeout(
      () => {
        console.log('The time of this run is over.')
        child.kill('SIGTERM')
        setTimeout(() => child.kill('SIGKILL'), 10_000).unref()
      },
      Math.max(0, deadline - Date.now()),
    )
    child.on('error', () => resolve(1))
    child.on('close', (code) => {
      clearTimeout(late)
      running.delete(child)
      resolve(code)
    })
  })
}

/** Runs a Node program as a step, and prints its result; true if it succeeded. */
export async function step(name: string, file: string, args: readonly string[]): Promise<boolean> {
  console.log(`\n${name}`)
  return verdict(name, await run(file, args))
}

const verdict = (name: string, code: number | null): boolean => {
  console.log(code === 0 ? `${name}: good` : `${name}: FAILED`)
  return code === 0
}

/** The arguments of `step`. */
type Step = Parameters<typeof step>

/** Runs several steps concurrently, each printing its output at its end; returns whether each succeeded. */
export const together = (...concurrent: readonly Step[]): Promise<boolean[]> =>
  Promise.all(
    concurrent.map(async ([name, file, args]) => {
      const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
      const code = await ended(child)
      console.log(`\n${name}\n${output}`.trimEnd())
      return verdict(name, code)
    }),
  )

/** The steps of every run. */
export const steps = {
  types: ['Types', 'node_modules/typescript/bin/tsc', ['-p', '.']],
  lint: ['Lint and format', 'node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']],
  build: ['Build', 'scripts/build.mjs', []],
} as const satisfies Record<string, Step>
