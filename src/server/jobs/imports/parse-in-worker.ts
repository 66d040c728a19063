import { fork } from 'node:child_process'

/** Limits for parsing one file, and the error thrown above them. */
export interface Bounds {
  megabytes: number
  /** Time that the process itself may take; waiting for an answer does not count. */
  milliseconds: number
  tooMuch: () => Error
}

/** A message of a parser process: one that waits for an answer, or the end. */
export type ParserMessage<Message> = { message: Message } | 'end'

/** A message to a parser process: what to parse, and then the answers. */
export type ToParser = { request: unknown } | { answer: unknown }

/** Maximum number of characters kept of the process's own error output. */
const maxFailureLength = 4_000

/**
 * Parses untrusted bytes in a process of its own, whose entry is `module` (`readsApart`): other requests are served meanwhile,
 * and malicious input ends that process and not the server. A thread would not do: if its memory fills up faster than it can be
 * ended, V8 ends the whole process. `answer` handles each message before the process continues; an error that it throws, and
 * `signal`, end the parsing.
 */
export async function readApart<Message>(
  module: URL,
  request: unknown,
  { megabytes, milliseconds, tooMuch }: Bounds,
  answer: (message: Message) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted()
  const { NODE_COMPILE_CACHE } = process.env
  const child = fork(module, [], {
    execArgv: [`--max-old-space-size=${megabytes}`],
    // The input may come from anybody, so the process gets none of our secrets.
    env: NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let failure = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    failure = (failure + chunk).slice(-maxFailureLength)
  })
  let timer: NodeJS.Timeout | undefined
  const done = new AbortController()
  try {
    await new Promise<void>((resolve, reject) => {
      let left = milliseconds
      let startedAt = 0
      const send = (message: ToParser) => {
        startedAt = performance.now()
        timer = setTimeout(() => reject(tooMuch()), left)
        // The process may end before it has read its input: its exit is handled below.
        child.send(message, () => undefined)
      }
      child.on('message', (received: ParserMessage<Message>) => {
        clearTimeout(timer)
        left = Math.max(0, left - (performance.now() - startedAt))
        if (received === 'end') return resolve()
        answer(received.message).then((answered) => send({ answer: answered }), reject)
      })
      child.once('error', reject)
      // Exit code 1 is an error of ours; any other end is a limit.
      child.once('close', (code) =>
        reject(code === 1 ? new Error(`A process that reads a file ended without an answer. ${failure}`) : tooMuch()),
      )
      signal?.addEventListener('abort', () => reject(signal.reason), { signal: done.signal })
      send({ request })
    })
  } finally {
    done.abort()
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}
