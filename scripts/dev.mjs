// npm run dev: the API, restarted when its sources change, and the portal by Vite in front of it.
import { spawn } from 'node:child_process'
import { install, node, root } from './node24.mjs'

install()

const port = Number(process.env.PORT ?? 3000)
const api = String(port + 1)
const env = { ...process.env, API_PORT: api, PORT: String(port) }

const children = [
  spawn(node(), ['--watch', '--watch-preserve-output', 'src/server/boot/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...env, PORT: api },
  }),
  spawn(node(), ['node_modules/vite/bin/vite.js', '--port', String(port), '--strictPort', '--clearScreen', 'false'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  }),
]

let leaving = false
function leave(code) {
  if (leaving) return
  leaving = true
  process.exitCode = code
  for (const child of children) child.kill('SIGTERM')
}

for (const child of children) child.on('exit', (code) => leave(code ?? 0))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => leave(0))
if (process.env.npm_lifecycle_event) await import('./with-parent.mjs')
