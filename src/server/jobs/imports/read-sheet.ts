import { Unreadable } from '#domain/file-text.ts'
import { readApart } from '#server/jobs/imports/parse-in-worker.ts'
import type { SheetRead } from '#domain/workbook.ts'
import { type SheetNotes, visibleSheet } from '#domain/workbook-sheets.ts'
import type { SheetPart } from '#server/jobs/imports/sheet.worker.ts'

/** Limits for one workbook. */
const bounds = { megabytes: 1_024, milliseconds: 120_000 }

const tooMuch = () => new Unreadable('The workbook takes too much to read. Save its first sheet as .csv.', 1)

/** Reads a sheet of a workbook like `readVisibleSheet`, in a process of its own. Throws `Unreadable`. */
export async function readSheetApart(bytes: Uint8Array, chosen: string | null = null, within = bounds): Promise<SheetRead> {
  const lines: string[][] = []
  let notes: SheetNotes | null = null
  await readApart(
    new URL('./sheet.worker.ts', import.meta.url),
    bytes,
    { ...within, tooMuch, args: chosen === null ? [] : [chosen] },
    (part: SheetPart) => {
      if ('message' in part) throw new Unreadable(part.message, part.line, part.column)
      if ('notes' in part) notes = part.notes
      else for (const line of part.lines) lines.push(line)
    },
  )
  return { lines, notes: notes ?? visibleSheet({}) }
}
