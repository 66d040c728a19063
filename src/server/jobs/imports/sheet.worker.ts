import { Unreadable } from '#domain/file-text.ts'
import { sheetLines } from '#domain/workbook.ts'
import { readsApart } from '#server/jobs/imports/reads-apart.ts'

/** What this process tells of a workbook: lines of it, or why there are none. */
export type SheetPart = { lines: string[][] } | { message: string; line: number; column: number | null }

/** Cells that are handed over at once: the server that takes them serves people between two such parts. */
const cellsAtOnce = 50_000

async function linesIn(bytes: Uint8Array): Promise<string[][] | Unreadable> {
  try {
    return await sheetLines(bytes)
  } catch (error) {
    if (error instanceof Unreadable) return error
    throw error
  }
}

readsApart<SheetPart>(async function* (bytes) {
  const lines = await linesIn(bytes)
  if (lines instanceof Unreadable) {
    const { message, line, column } = lines
    return yield { message, line, column }
  }
  let [from, cells] = [0, 0]
  for (const [at, line] of lines.entries()) {
    cells += line.length
    if (cells < cellsAtOnce) continue
    yield { lines: lines.slice(from, at + 1) }
    from = at + 1
    cells = 0
  }
  yield { lines: lines.slice(from) }
})
