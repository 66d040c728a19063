import { parentPort, workerData } from 'node:worker_threads'
import { Unreadable } from '#domain/file-text.ts'
import { sheetLines } from '#domain/workbook.ts'

/** What this thread tells of a workbook: its lines, or why there are none. */
export type SheetAnswer = { lines: string[][] } | { message: string; line: number; column: number | null }

async function answer(): Promise<SheetAnswer> {
  try {
    return { lines: await sheetLines(workerData as Uint8Array) }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const { message, line, column } = error
    return { message, line, column }
  }
}

parentPort?.postMessage(await answer())
