import { cellText } from '#domain/mapping-cells.ts'
import type { MappingField } from '#domain/mapping-fields.ts'
import { shortened, wholeNumber } from '#domain/text.ts'

/** Beginning of a line that ends a report or contains totals, in place of an identifier. */
const summaries = [
  '(?:grand|sub|report|page|company|department|overall|final)?[\\s-]*totals?',
  '(?:record|line|row|employee|head)s?\\s?counts?',
  'counts?|(?:sum|average|summary)(?!-)',
  '(?:number|no\\.) of \\w+',
  '(?:active |all )?(?:employees|records|rows|lines) ?[:=]',
  '\\d+ (?:active )?(?:employees|records|rows|lines)(?=[.:)]*$| (?:selected|affected|exported))',
  '(?:end of (?:the )?(?:report|file|list|data|page|document)|(?:eof|trailer)(?!-))',
  'page ?\\d+',
  '(?:report|run|print) date',
  '(?:printed|generated|created|exported) (?:on|by|at)',
]
const summary = new RegExp(`^[*=\\-\\s]*(?:${summaries.join('|')})(?=$|[\\s:.(=*-]|(?<=[:=]))`, 'i')
/** A group total starts with the name of the group: `Dept 100 Total`. */
const totalOfGroup = /\s(?:sub)?totals?:?$/i

/** Whether the text in place of an identifier starts a total or the last line of a report. */
export const isSummary = (identifier: string): boolean =>
  // Fast path: most identifiers are digits after a few letters, unlike any such line.
  !/^[A-Za-z]{0,3}-?\d+$/.test(identifier) && (summary.test(identifier) || totalOfGroup.test(identifier))

const lineBreaks = /\r\n|[\n\r]/g

/** Counts the line breaks of a text. */
export const breaksIn = (text: string): number => text.match(lineBreaks)?.length ?? 0

/** Fields whose cells may have several lines. */
const severalLines: readonly MappingField[] = ['address']

/** The columns of a mapping, by their position in the file. */
interface Column {
  at: number | null
  title: string
  field: MappingField
}

/**
 * The error in a record over several lines; null if these are the text of a cell. An unclosed quote swallows the lines below
 * it: then a mapped cell has a line break, or a cell has as many separators as a whole line. Workbook cells have no quotes.
 */
export function severalLinesFault(
  cells: readonly string[],
  { line, width, columns, workbook }: { line: number; width: number; columns: readonly Column[]; workbook: boolean },
): { line: number; column: string; message: string } | null {
  if (!cells.some((cell) => /[\n\r]/.test(cell))) return null
  let from = line
  for (const [at, cell] of cells.entries()) {
    const breaks = breaksIn(cell)
    if (breaks === 0) continue
    const column = columns.find((one) => one.at === at)
    const hasWholeLine = !workbook && width > 1 && [',', ';', '\t', '|'].some((sign) => cell.split(sign).length >= width)
    if (hasWholeLine || (column && !severalLines.includes(column.field) && breaksIn(cellText(cell)) > 0))
      return {
        line,
        column: column?.title ?? `column ${at + 1}`,
        message: workbook
          ? 'The cell has a line break. Write it in one line.'
          : `A quote is opened in line ${wholeNumber(from)} and closed in line ${wholeNumber(from + breaks)}. Close it in its own line, and write the cell without a line break.`,
      }
    from += breaks
  }
  return null
}

/** The content of a line where headers are expected, as a sentence. */
export function lineHolds(cells: readonly string[], line: number): string {
  const texts = cells.map((cell) => cell.trim()).filter(Boolean)
  return `Line ${wholeNumber(line)} ${texts.length > 0 ? `holds ${shortened(texts.join(', '))}` : 'is empty'}.`
}

/** Message for the last line of a file that ends within it. */
export const endsWithinLine =
  'The file ends within this line, which has fewer cells than all others and no line break: it was cut off. Send it again.'
