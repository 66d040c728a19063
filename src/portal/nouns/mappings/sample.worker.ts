import type { PreviewLine } from '#contract/mapping-preview.ts'
import { isChangedCode } from '#domain/changed-code.ts'
import { personalFields, placementCodes } from '#domain/employee.ts'
import { readMappedFile } from '#domain/mapped-file.ts'
import { identifierFields } from '#domain/mapping-fields.ts'
import { maxHeaderLines, proposedHeaderLine, type SampleColumn } from '#domain/mapping-proposals.ts'
import type { MappedRow, MappingReader, Named } from '#domain/mapping-reading.ts'
import { browserParser } from '#portal/nouns/mappings/browser-parser.ts'
import {
  type LinesAnswer,
  type LinesQuestion,
  maxCells,
  maxCompared,
  maxShown,
  type SampleAnswer,
  type SampleQuestion,
} from '#portal/nouns/mappings/sample-messages.ts'

// Reads samples in a worker, so that a large one does not block input.

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

const lineOf = ({ identifier, values }: MappedRow, hasEmployerCode: boolean): PreviewLine => ({
  identifier,
  ...(hasEmployerCode ? { employer_code: String(values.employer_code ?? '') } : {}),
  ...Object.fromEntries(
    comparedFields.flatMap((name) => (values[name] === undefined || values[name] === '' ? [] : [[name, values[name]]])),
  ),
})

/** Rows of the last sample. */
let kept: PreviewLine[] = []

const byLine = (one: { line: number }, other: { line: number }): number => one.line - other.line

async function read({ file, kind, columns, headerLine }: SampleQuestion): Promise<SampleAnswer> {
  let sampled: SampleColumn[] = []
  let rows: MappedRow[] = []
  let compared: [line: number, row: PreviewLine][] = []
  let first: { line: number; cells: readonly string[] }[] = []
  let headersAt = 0
  const named = new Set<string>()
  let nameless = 0
  const by = identifierFields.find((name) => columns.some(({ field }) => field === name)) ?? 'employee_code'
  const hasEmployerCode = columns.some(({ field }) => field === 'employer_code')
  const note = (who: Named | null): void => {
    if (who && isChangedCode(who.identifier)) nameless += 1
    else if (who?.by === by && named.size < maxCompared) named.add(who.identifier)
  }
  let reader: MappingReader | null = null
  const {
    reader: { result, takenBack },
    report,
    questions,
  } = await readMappedFile(
    {
      name: file.name,
      open: () => chunksOf(file),
      parser: browserParser,
      sheet: async (bytes, chosen) => (await import('#domain/workbook.ts')).readVisibleSheet(bytes, chosen),
    },
    { kind: kind ?? 'EMPLOYEE', columns: kind ? columns : [], header_line: headerLine },
    {},
    {
      begin: (next) => {
        reader = next
        sampled = []
        rows = []
        compared = []
        first = []
        named.clear()
        nameless = 0
      },
      above: (cells, line) => first.push({ line, cells }),
      header: (cells, line) => {
        headersAt = line
        first.push({ line, cells })
        const last = cells.findLastIndex((cell) => cell.trim() !== '')
        sampled = cells.slice(0, Math.min(last + 1, 1_000)).map((header) => ({ header: header.trim(), cells: [] }))
      },
      sample: (cells, line, isReadable) => {
        if (first.length < maxHeaderLines) first.push({ line, cells })
        if (line <= headersAt + maxCells)
          for (const [at, column] of sampled.entries()) (column.cells as string[]).push(cells[at] ?? '')
        // A file that the mapping cannot read still shows its first cells and possible header lines.
        return (isReadable && kind !== null) || first.length < maxHeaderLines
      },
      row: (row, cells, line) => {
        if (!kind) return
        if (!row) return note(reader?.identify(cells) ?? null)
        if (rows.length < maxShown) rows.push(row)
        if (compared.length < maxCompared) compared.push([line, lineOf(row, hasEmployerCode)])
      },
      broken: (cells) => reader?.couldName(cells).forEach(note),
    },
  )
  // A line may be invalidated by a later one that contradicts it.
  result.faults.sort(byLine)
  kept = compared.flatMap(([line, row]) => (takenBack.has(line) ? [] : [row]))
  for (const [line, { identifier }] of compared) if (takenBack.has(line)) named.add(identifier)
  for (const { identifier } of kept) named.delete(identifier)
  return {
    columns: sampled,
    reading: result,
    report,
    questions,
    headerLine: proposedHeaderLine(kind, first),
    rows: rows.filter(({ line }) => !takenBack.has(line)),
    by,
    comparable: kept.length,
    named: [...named],
    nameless,
  }
}

async function answerTo(question: SampleQuestion | LinesQuestion): Promise<SampleAnswer | LinesAnswer> {
  return 'from' in question ? { lines: kept.slice(question.from, question.from + question.count) } : read(question)
}

addEventListener(
  'message',
  ({ data: { id, question } }: MessageEvent<{ id: number; question: SampleQuestion | LinesQuestion }>) => {
    // A promise that rejects in a worker is reported nowhere, and the caller would wait forever.
    answerTo(question).then((answer) => postMessage({ id, answer }), reportError)
  },
)
