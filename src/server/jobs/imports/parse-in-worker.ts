import { fork } from 'node:child_process'

/** Limits for parsing one file, and the error thrown above them. */
export interface Bounds {
  megabytes: number
  milliseconds: number
  tooMuch: () => Error
  /** Arguments of the process. */
  args?: readonly string[]
}

/** A message of a parser process: a part, or the end. */
export type ParserMessage<Part> = { part: Part } | 'end'

/** Maximum number of characters kept of the process's own error output. */
const maxFailureLength = 4_000

/**
 * Parses untrusted bytes in a process of its own, whose entry is `module` (`readsApart`): other requests are served meanwhile,
 * and malicious input ends that process and not the server. A thread would not do: if its memory fills up faster than it can be
 * ended, V8 ends the whole process. `take` receives each part before the next one is made; an error that it throws ends the
 * parsing.
 */
export async function readApart<Part>(
  module: URL,
  bytes: Uint8Array,
  { megabytes, milliseconds, tooMuch, args = [] }: Bounds,
  take: (part: Part) => void,
): Promise<void> {
  const child = fork(module, [...args], {
    execArgv: [`--max-old-space-size=${megabytes}`],
    // The input may come from anybody, so the process gets none of our secrets.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let failure = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    failure = (failure + chunk).slice(-maxFailureLength)
  })
  // The process may end before it has read its input: its exit is handled below.
  const send = (message: 'more' | Uint8Array) => child.send(message, () => undefined)
  let timer: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('message', (receive: ParserMessage<Part>) => {
        if (receive === 'end') return resolve()
        try {
          take(receive.part)
          send('more')
        } catch (error) {
          reject(error)
        }
      })
      child.once('error', reject)
      // Exit code 1 is an error of ours; any other end is a limit.
      child.once('close', (code) =>
        reject(code === 1 ? new Error(`A process that reads a file ended without an answer. ${failure}`) : tooMuch()),
      )
      timer = setTimeout(() => reject(tooMuch()), milliseconds)
      send(bytes)
    })
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}
