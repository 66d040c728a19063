import { once } from 'node:events'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { Unreadable } from '#domain/file-text.ts'
import { sheetLines } from '#domain/workbook.ts'

/** What this thread tells of a workbook: lines of it, of which more follow until it ends, or why there are none. */
export type SheetAnswer = { lines: string[][]; more: boolean } | { message: string; line: number; column: number | null }

/** Cells that are handed over at once: the thread that takes them serves people between two such parts. */
const cellsAtOnce = 50_000

async function answer(port: MessagePort): Promise<void> {
  const lines = await sheetLines(workerData as Uint8Array)
  let [from, cells] = [0, 0]
  for (const [at, line] of lines.entries()) {
    cells += line.length
    if (cells < cellsAtOnce) continue
    port.postMessage({ lines: lines.slice(from, at + 1), more: true } satisfies SheetAnswer)
    await once(port, 'message')
    from = at + 1
    cells = 0
  }
  port.postMessage({ lines: lines.slice(from), more: false } satisfies SheetAnswer)
}

const port = parentPort as MessagePort
await answer(port).catch((error: unknown) => {
  if (!(error instanceof Unreadable)) throw error
  const { message, line, column } = error
  port.postMessage({ message, line, column } satisfies SheetAnswer)
})
// A port that was listened to keeps its thread.
port.close()
