import { Unreadable } from '#domain/file-text.ts'
import { readApart } from '#server/jobs/imports/read-apart.ts'
import type { SheetPart } from '#server/jobs/imports/sheet.worker.ts'

/** What one workbook may take. */
const bounds = { megabytes: 1_024, milliseconds: 120_000 }

const tooMuch = () => new Unreadable('The workbook takes too much to read. Save its first sheet as .csv.', 1)

/** The cells of the first sheet of a workbook, which has to be read as a whole, in a process of its own. Throws `Unreadable`. */
export async function readSheetApart(bytes: Uint8Array, within = bounds): Promise<string[][]> {
  const lines: string[][] = []
  await readApart(new URL('./sheet.worker.ts', import.meta.url), bytes, { ...within, tooMuch }, (part: SheetPart) => {
    if (!('lines' in part)) throw new Unreadable(part.message, part.line, part.column)
    for (const line of part.lines) lines.push(line)
  })
  return lines
}
