import type { PreviewLine } from '#contract/mapping-preview.ts'
import { personalFields, placementCodes } from '#domain/employee.ts'
import { readLines } from '#domain/file-reading.ts'
import { placeOf, Unreadable } from '#domain/file-text.ts'
import { identifierFields } from '#domain/mapping-fields.ts'
import { type MappedRow, mappingReader } from '#domain/mapping-reading.ts'
import { browserParser } from '#portal/nouns/mappings/browser-parser.ts'
import {
  type LinesAnswer,
  type LinesQuestion,
  mostCells,
  mostCompared,
  mostShown,
  type SampleAnswer,
  type SampleQuestion,
} from '#portal/nouns/mappings/sample-messages.ts'

// Reads samples beside the page, so that no key waits for a large one.

async function* chunksOf(file: File): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

const comparedFields = [
  'first_name',
  'last_name',
  'full_name',
  'email',
  'phone',
  ...placementCodes,
  ...personalFields,
  'hire_date',
  'rate',
  'status',
] as const

const lineOf = ({ identifier, values }: MappedRow): PreviewLine => ({
  identifier,
  ...Object.fromEntries(
    comparedFields.flatMap((name) => (values[name] === undefined || values[name] === '' ? [] : [[name, values[name]]])),
  ),
})

/** Of the sample that was read last. */
let kept: PreviewLine[] = []

const byLine = (one: { line: number }, other: { line: number }): number => one.line - other.line

async function read({ file, kind, columns }: SampleQuestion): Promise<SampleAnswer> {
  const reader = mappingReader(kind ?? 'EMPLOYEE', kind ? columns : [])
  const answer: SampleAnswer = { columns: [], reading: reader.result, rows: [], by: 'employee_code', comparable: 0 }
  const rows: MappedRow[] = []
  const compared: [line: number, row: PreviewLine][] = []
  answer.by = identifierFields.find((name) => columns.some(({ field }) => field === name)) ?? 'employee_code'
  let readable = false
  try {
    await readLines(
      {
        name: file.name,
        chunks: chunksOf(file),
        parser: browserParser,
        sheet: async (bytes) => (await import('#domain/workbook.ts')).sheetLines(bytes),
      },
      (cells, line) => {
        if (line === 1) {
          readable = reader.head(cells, line)
          const last = cells.findLastIndex((cell) => cell.trim() !== '')
          answer.columns = cells.slice(0, Math.min(last + 1, 1_000)).map((header) => ({ header: header.trim(), cells: [] }))
          return true
        }
        if (line <= mostCells + 1)
          for (const [at, column] of answer.columns.entries()) (column.cells as string[]).push(cells[at] ?? '')
        // What cannot be read by the mapping still shows its first cells.
        if (!readable || !kind) return line <= mostCells
        const row = reader.row(cells, line)
        if (row && rows.length < mostShown) rows.push(row)
        if (row && compared.length < mostCompared) compared.push([line, lineOf(row)])
        return true
      },
      ({ line, column, message }) => {
        if (readable && kind) reader.broken({ line, column: placeOf(column), message })
      },
    )
    if (answer.columns.length === 0) reader.refuse(1, null, 'The file is empty.')
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    reader.refuse(error.line, placeOf(error.column), error.message)
  }
  // A line is taken back by a later one that contradicts it.
  reader.result.faults.sort(byLine)
  answer.rows = rows.filter(({ line }) => !reader.takenBack.has(line))
  kept = compared.flatMap(([line, row]) => (reader.takenBack.has(line) ? [] : [row]))
  answer.comparable = kept.length
  return answer
}

async function answerTo(question: SampleQuestion | LinesQuestion): Promise<SampleAnswer | LinesAnswer> {
  return 'from' in question ? { lines: kept.slice(question.from, question.from + question.count) } : read(question)
}

addEventListener(
  'message',
  ({ data: { id, question } }: MessageEvent<{ id: number; question: SampleQuestion | LinesQuestion }>) => {
    // A promise that fails in a worker is told to nobody, and whoever asked would wait for good.
    answerTo(question).then((answer) => postMessage({ id, answer }), reportError)
  },
)
