import { Unreadable } from '#domain/file-text.ts'
import { readVisibleSheet, type SheetRead } from '#domain/workbook.ts'
import type { SheetNotes } from '#domain/workbook-sheets.ts'
import { readsApart } from '#server/jobs/imports/reads-apart.ts'

/** A message of this process about a workbook: some of its lines, notes on hidden content, or why it cannot be read. */
export type SheetPart = { lines: string[][] } | { notes: SheetNotes } | { message: string; line: number; column: number | null }

/** Cells per message: the server handles other requests between two messages. */
const cellsAtOnce = 50_000

async function readOrExplain(bytes: Uint8Array): Promise<SheetRead | Unreadable> {
  try {
    // The name of the sheet, if a person or the headers selected one.
    return await readVisibleSheet(bytes, process.argv[2] ?? null)
  } catch (error) {
    if (error instanceof Unreadable) return error
    throw error
  }
}

readsApart<SheetPart>(async function* (bytes) {
  const read = await readOrExplain(bytes)
  if (read instanceof Unreadable) {
    const { message, line, column } = read
    return yield { message, line, column }
  }
  const { lines, notes } = read
  yield { notes }
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
