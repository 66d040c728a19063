// Becomes another program: no process stays in between where the system can do that, so that a signal arrives once.
import { spawn } from 'node:child_process'
import { root } from './node24.mjs'

/** Replaces this process by `node ...args`; where that is not possible, forwards signals and the exit code. */
export function handOver(node, args) {
  process.chdir(root)
  if (process.execve && process.platform !== 'win32') {
    process.removeAllListeners('warning')
    process.execve(node, [node, ...args], process.env)
  }
  const child = spawn(node, args, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`${node} could not be started: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}
