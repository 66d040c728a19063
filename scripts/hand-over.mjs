// Replaces the current program by another one, without a process in between where the system supports it.
import { spawn } from 'node:child_process'
import { root } from './node24.mjs'

const withParent = ['--import', new URL('with-parent.mjs', import.meta.url).href]

/** Replaces this process by `node ...args`; where that is not supported, forwards signals and the exit code. */
export async function handOver(node, args) {
  process.chdir(root)
  const byNpm = process.env.npm_lifecycle_event !== undefined
  if (process.execve && process.platform !== 'win32') {
    // The function is experimental and prints a warning, which is not useful here.
    process.removeAllListeners('warning')
    process.execve(node, [node, ...(byNpm ? withParent : []), ...args], process.env)
  }
  const child = spawn(node, [...withParent, ...args], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`${node} could not be started: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
  if (byNpm) await import('./with-parent.mjs')
}
