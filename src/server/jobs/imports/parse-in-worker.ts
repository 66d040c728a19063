import { fork } from 'node:child_process'

/** What reading one file may take, and what is thrown where it takes more. */
export interface Bounds {
  megabytes: number
  milliseconds: number
  tooMuch: () => Error
  /** Arguments of its process. */
  args?: readonly string[]
}

/** What a process that reads says: a part of what it read, or that this was all. */
export type ParserMessage<Part> = { part: Part } | 'end'

/** Characters that are kept of what such a process says of its own failure. */
const maxFailureLength = 4_000

/**
 * Reads what somebody sent in a process of its own, which `module` is (`readsApart`): others are answered meanwhile, and what was made
 * to do harm ends that process and not the server. A thread would not do: where its memory is full faster than it can be ended, V8
 * ends the whole process. `take` is given each part, before the next one is made; what it throws ends the reading.
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
  child.stderr?.on('data', (said: Buffer) => {
    failure = (failure + said).slice(-maxFailureLength)
  })
  // It may end before it has read what it was sent: then its end says so.
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
      // An error of ours ends it with 1; whatever else does is a limit.
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
