import { parse } from 'csv-parse'
import type { FileParts } from '#domain/file-reading.ts'
import { maxStoredFaults, namesIn } from '#domain/import.ts'
import { type FileAnswers, type MappedFileResult, type ReadBy, readMappedFile } from '#domain/mapped-file.ts'
import { workedSpan } from '#domain/line-content.ts'
import { faultInWords, type LineFault, type MappedRow, type MappingReader, type Named } from '#domain/mapping-reading.ts'
import { csvLine } from '#server/documents/csv.ts'
import { readsApart } from '#server/jobs/imports/reads-apart.ts'

/** A file to read by its mapping and the answers of people. */
export interface FileRequest {
  name: string
  by: Omit<ReadBy, 'remembers'>
  answers: FileAnswers
}

/** A batch of what was read, as JSON of rows for its staging table, and the number of lines read so far. */
export interface FileBatch {
  lines: string
  faults: string
  names: string
  read: number
}

/** The result of reading the lines of a file; `refused` is a message for people. */
export interface FileRead extends Pick<MappedFileResult, 'report' | 'questions' | 'readings' | 'headerLine'> {
  lines: number
  /** Lines left to imports of other employers, by employer code. */
  others: ReadonlyMap<string, number>
  header: string | null
  refused: string | null
}

/** A message of this process. The answer to `more` are the next bytes of the file, from its start after `open`; null at its end. */
export type FileMessage = 'open' | 'more' | 'begin' | { batch: FileBatch } | { result: FileRead }

/** Size of a batch: this many lines, or this many characters, since a line may have a million. */
const maxBatch = { lines: 2_000, characters: 4_000_000 }

interface Fault extends LineFault {
  content: string
}

const parser: FileParts['parser'] = (options) => parse(options) as unknown as ReturnType<FileParts['parser']>

/** Few files are workbooks: their reader is loaded for these only. */
const sheet: FileParts['sheet'] = async (bytes, chosen) => (await import('#domain/workbook.ts')).readVisibleSheet(bytes, chosen)

/** First and last name from a cell with the full name. */
const nameParts = ({ values: { full_name } }: MappedRow) => (typeof full_name === 'string' ? namesIn(full_name) : null)

readsApart<FileRequest, FileMessage>(async ({ name, by, answers }, ask) => {
  const lines: (MappedRow & { content: string })[] = []
  const faults: Fault[] = []
  const names: Named[] = []
  let reader: MappingReader | null = null
  let faultCount = 0
  /** Characters of the lines that were not sent yet. */
  let heldCharacters = 0
  let header: string | null = null
  const contentOf = (line: readonly string[]): string => {
    const content = csvLine(line)
    heldCharacters += content.length
    return content
  }
  const taken = (rows: object[]): string => JSON.stringify(rows.splice(0))
  const sendBatch = async () => {
    heldCharacters = 0
    const read = reader?.result.lines ?? 0
    await ask({ batch: { lines: taken(lines), faults: taken(faults), names: taken(names), read } })
  }
  const pause = async () => {
    if (lines.length + faults.length + names.length >= maxBatch.lines || heldCharacters >= maxBatch.characters) await sendBatch()
  }
  const open = async function* () {
    await ask('open')
    for (;;) {
      const bytes = await ask('more')
      if (!(bytes instanceof Uint8Array)) return
      yield bytes
    }
  }
  const { reader: last, ...result } = await readMappedFile(
    { name, open, parser, sheet, pause },
    { ...by, remembers: false },
    answers,
    {
      begin: async (next) => {
        reader = next
        faultCount = 0
        for (const rows of [lines, faults, names]) rows.length = 0
        heldCharacters = 0
        await ask('begin')
      },
      header: (cells) => {
        header = csvLine(cells)
      },
      row: (row, cells) => {
        if (row)
          lines.push({
            ...row,
            values: { ...nameParts(row), ...workedSpan(row.values), ...row.values },
            content: contentOf(cells),
          })
        else names.push(...[reader?.identify(cells) ?? []].flat())
        // An employee in a line that an open quote swallowed is not missing from the file.
        if (cells.some((cell) => /[\n\r]/.test(cell))) names.push(...(reader?.couldName(cells) ?? []))
      },
      fault: (fault, cells) => {
        faultCount += 1
        if (faultCount <= maxStoredFaults) faults.push({ ...fault, content: contentOf(cells) })
      },
      broken: (cells) => names.push(...(reader?.couldName(cells) ?? [])),
    },
  )
  await sendBatch()
  const { refused, lines: count, others } = last.result
  await ask({ result: { ...result, lines: count, others, header, refused: refused && faultInWords(refused) } })
})
