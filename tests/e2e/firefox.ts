import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFirefox } from '../../scripts/firefox.ts'
import type { Tab } from '#tests/e2e/tab.ts'

interface Answer {
  id?: number
  type: string
  result?: unknown
  error?: string
  message?: string
}

const codes: Record<string, string> = { Enter: '\uE007', Escape: '\uE00C', Tab: '\uE004', Control: '\uE009', ArrowDown: '\uE015' }

/**
 * A tab of the stock Firefox, driven by WebDriver BiDi, which Firefox supports natively: no driver and no patched browser. Null
 * where Firefox is not installed.
 */
export async function openFirefox(): Promise<Tab | null> {
  const program = findFirefox()
  if (!program) return null
  const profile = await mkdtemp(join(tmpdir(), 'admin-portal-firefox-'))
  const child = spawn(program, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank'], {
    env: { PATH: process.env.PATH, HOME: profile, MOZ_DISABLE_AUTO_SAFE_MODE: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const socket = await connect(child)
  let last = 0
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
  }
  const send = async <T>(method: string, params: unknown): Promise<T> => {
    last += 1
    const id = last
    const answer = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params }))
    })
    waiting.delete(id)
    if (answer.type === 'error') throw new Error(`${method}: ${answer.error} ${answer.message}`)
    return answer.result as T
  }
  await send('session.new', { capabilities: {} })
  const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {})
  const context = contexts[0]?.context
  await send('browsingContext.setViewport', { context, viewport: { width: 1280, height: 800 } })
  const keys = (actions: { type: string; value: string }[]) =>
    send('input.performActions', { context, actions: [{ type: 'key', id: 'keyboard', actions }] })

  return {
    goto: async (address) => void (await send('browsingContext.navigate', { context, url: address, wait: 'complete' })),
    ask: async <T>(expression: string) => {
      const answer = await send<{ type: string; result?: { value?: string }; exceptionDetails?: { text: string } }>(
        'script.evaluate',
        {
          expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
          target: { context },
          awaitPromise: true,
        },
      )
      if (answer.type === 'exception') throw new Error(answer.exceptionDetails?.text)
      return JSON.parse(answer.result?.value ?? 'null') as T
    },
    press: async (chord) => {
      const parts = chord.split('+').map((part) => codes[part] ?? part)
      await keys([
        ...parts.map((value) => ({ type: 'keyDown', value })),
        ...parts.toReversed().map((value) => ({ type: 'keyUp', value })),
      ])
    },
    type: async (text) => {
      await keys([...text].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))))
    },
    close: async () => {
      socket.close()
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}

/** Waits until Firefox logs its address. */
function connect(child: ChildProcess): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.once('exit', () => reject(new Error(`Firefox ended: ${said}`)))
    child.stderr?.on('data', (chunk) => {
      said += chunk
      const address = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(said)?.[1]
      if (!address) return
      said = ''
      const socket = new WebSocket(`${address}/session`)
      socket.onopen = () => resolve(socket)
      socket.onerror = () => reject(new Error('Firefox does not let itself be driven.'))
    })
  })
}
