import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoPassword } from '#server/auth/demo-people.ts'
import { codeOfStep, stepAt } from '#server/auth/totp.ts'
import type { Portal } from '#tests/e2e/support.ts'
import { demoPerson } from '#tests/support/sign-in.ts'

/** How the terminal ended, with what it printed. */
export interface TerminalResult {
  code: number | null
  /** Standard output, without the last line break. */
  out: string
  notes: string
}

interface RunOptions {
  /** Standard input. */
  input?: string
  environment?: Record<string, string>
  /** Called with the process once it has started. */
  started?: (child: { kill: (signal: NodeJS.Signals) => boolean }) => void
}

/** A computer with the terminal: its own folders for sessions and calls. */
export interface Computer {
  folder: string
  run: (args: readonly string[], options?: RunOptions) => Promise<TerminalResult>
  signIn: (portal: Portal, email?: string, address?: string) => Promise<TerminalResult>
  leave: () => Promise<void>
}

/** A computer on which nobody has signed in. */
export function newComputer(): Computer {
  const folder = mkdtempSync(join(tmpdir(), 'admin-portal-terminal-'))
  const run = (args: readonly string[], { input = '', environment = {}, started }: RunOptions = {}) =>
    new Promise<TerminalResult>((resolve, reject) => {
      const child = spawn(process.execPath, ['scripts/portal.ts', ...args], {
        env: {
          PATH: process.env.PATH,
          HOME: folder,
          XDG_CONFIG_HOME: join(folder, 'config'),
          XDG_STATE_HOME: join(folder, 'state'),
          XDG_CACHE_HOME: join(folder, 'cache'),
          ...environment,
        },
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      let out = ''
      let notes = ''
      child.stdout.on('data', (chunk) => {
        out += chunk
      })
      child.stderr.on('data', (chunk) => {
        notes += chunk
      })
      child.on('error', reject)
      child.on('close', (code) => resolve({ code, out: out.replace(/\n$/, ''), notes }))
      child.stdin.on('error', () => undefined)
      child.stdin.end(input)
      started?.(child)
    })
  return {
    folder,
    run,
    signIn: async (portal, email = 'priya.raman@example.com', address = portal.origin) => {
      // As if half a minute had passed since the last sign-in of this account: a code can be used once.
      await portal.db.updateTable('people').set({ totp_last_step: null }).where('email', '=', email).execute()
      const { totpSecret } = demoPerson(email)
      const environment: Record<string, string> = { PORTAL_EMAIL: email, PORTAL_PASSWORD: demoPassword }
      if (totpSecret) environment['PORTAL_CODE'] = codeOfStep(totpSecret, stepAt(new Date()))
      return run(['sign-in', address], { environment })
    },
    leave: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A proxy whose answers to changes can be lost after the server has done them. */
export interface LossyProxy {
  origin: string
  /** From now on changes with a matching path are forwarded and never answered; the promise resolves when one is done. */
  loseAnswers: (path: RegExp) => Promise<void>
  mend: () => void
  /** The idempotency keys of the forwarded changes, in order. */
  keys: readonly string[]
  close: () => Promise<void>
}

/** Starts such a proxy to the server at `to`. */
export async function lossyProxy(to: string): Promise<LossyProxy> {
  let lost: { path: RegExp; done: () => void } | null = null
  const keys: string[] = []
  const server = createServer((incoming, outgoing) => {
    const key = incoming.headers['idempotency-key']
    if (key) keys.push(String(key))
    const forwarded = request(`${to}${incoming.url}`, { method: incoming.method, headers: incoming.headers }, (answer) => {
      if (lost && incoming.method !== 'GET' && lost.path.test(incoming.url ?? '')) {
        const { done } = lost
        answer.resume().on('end', () => {
          outgoing.destroy()
          done()
        })
        return
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    loseAnswers: (path) =>
      new Promise((done) => {
        lost = { path, done }
      }),
    mend: () => {
      lost = null
    },
    keys,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
