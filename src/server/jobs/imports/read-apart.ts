import { Worker } from 'node:worker_threads'

/** What reading one file apart may take, and what is thrown where it takes more. */
export interface Bounds {
  megabytes: number
  milliseconds: number
  tooMuch: () => Error
}

/**
 * Reads what somebody sent in a thread of its own: others are answered meanwhile, and what was made to do harm ends the thread and
 * not the server. `module` finds the bytes as its `workerData` and posts what it reads, in parts where that is much. `take` is given
 * each part: it answers whether more follow, which are then asked for, and what it throws ends the reading.
 */
export async function readApart<Part>(
  module: URL,
  bytes: Uint8Array,
  { megabytes, milliseconds, tooMuch }: Bounds,
  take: (part: Part) => boolean,
): Promise<void> {
  const worker = new Worker(module, {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 64 },
  })
  let timer: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      worker.on('message', (part: Part) => {
        try {
          if (take(part)) worker.postMessage('more')
          else resolve()
        } catch (error) {
          reject(error)
        }
      })
      worker.once('error', (error) => reject('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch() : error))
      worker.once('exit', () => reject(new Error('A thread that reads a file ended without an answer.')))
      timer = setTimeout(() => reject(tooMuch()), milliseconds)
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
