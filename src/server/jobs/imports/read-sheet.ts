import { Worker } from 'node:worker_threads'
import { Unreadable } from '#domain/file-text.ts'
import type { SheetAnswer } from '#server/jobs/imports/sheet.worker.ts'

/** What one workbook may take. */
const bounds = { megabytes: 1_024, milliseconds: 120_000 }

const tooMuch = 'The workbook takes too much to read. Save its first sheet as .csv.'

/**
 * The cells of the first sheet of a workbook, read in a thread of its own with bounds: a workbook has to be read as a whole,
 * others are answered meanwhile, and one that was made to do harm ends the thread and not the server. Throws `Unreadable`.
 */
export async function readSheetApart(bytes: Uint8Array, { megabytes, milliseconds } = bounds): Promise<string[][]> {
  const worker = new Worker(new URL('./sheet.worker.ts', import.meta.url), {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 64 },
  })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<string[][]>((resolve, reject) => {
      const lines: string[][] = []
      worker.on('message', (answer: SheetAnswer) => {
        if (!('lines' in answer)) return reject(new Unreadable(answer.message, answer.line, answer.column))
        for (const line of answer.lines) lines.push(line)
        if (answer.more) worker.postMessage('more')
        else resolve(lines)
      })
      worker.once('error', (error) =>
        reject('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new Unreadable(tooMuch, 1) : error),
      )
      worker.once('exit', () => reject(new Error('The thread that reads a workbook ended without an answer.')))
      timer = setTimeout(() => reject(new Unreadable(tooMuch, 1)), milliseconds)
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
