import { Unreadable } from '#domain/file-text.ts'
import { readApart } from '#server/jobs/imports/read-apart.ts'
import type { SheetAnswer } from '#server/jobs/imports/sheet.worker.ts'

/** What one workbook may take. */
const bounds = { megabytes: 1_024, milliseconds: 120_000 }

const tooMuch = () => new Unreadable('The workbook takes too much to read. Save its first sheet as .csv.', 1)

/** The cells of the first sheet of a workbook, which has to be read as a whole, in a thread of its own. Throws `Unreadable`. */
export async function readSheetApart(bytes: Uint8Array, within = bounds): Promise<string[][]> {
  const lines: string[][] = []
  await readApart(
    new URL('./sheet.worker.ts', import.meta.url),
    bytes,
    { ...within, tooMuch },
    (answer: SheetAnswer): boolean => {
      if (!('lines' in answer)) throw new Unreadable(answer.message, answer.line, answer.column)
      for (const line of answer.lines) lines.push(line)
      return answer.more
    },
  )
  return lines
}
