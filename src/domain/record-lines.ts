import { cellText } from '#domain/mapping-cells.ts'
import type { MappingField } from '#domain/mapping-fields.ts'
import { shortened, wholeNumber } from '#domain/text.ts'

/** What a line begins with that ends a report or adds it up, where an identifier belongs. */
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
/** A total of a group has its name in front: `Dept 100 Total`. */
const totalOfGroup = /\s(?:sub)?totals?:?$/i

/** Whether what stands in the place of an identifier is the beginning of a total or of a report's last line. */
export const isSummary = (identifier: string): boolean =>
  // Most identifiers have a digit behind a few letters, as no such line has.
  !/^[A-Za-z]{0,3}-?\d+$/.test(identifier) && (summary.test(identifier) || totalOfGroup.test(identifier))

const lineBreaks = /\r\n|[\n\r]/g

/** Counts the line breaks of a text. */
export const breaksIn = (text: string): number => text.match(lineBreaks)?.length ?? 0

/** Fields whose cells may have several lines. */
const severalLines: readonly MappingField[] = ['address']

/** The columns that a mapping reads, by their place in the file. */
interface Column {
  at: number | null
  title: string
  field: MappingField
}

/**
 * What is wrong with a record over several lines; null where they are the text of a cell. A quote that was not closed in its own line
 * takes lines below along: a mapped cell has a line break then, or a cell as many separators as a whole line. Cells of a workbook have no
 * quotes.
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

/** What stands in a line where headers belong, as a sentence. */
export function lineHolds(cells: readonly string[], line: number): string {
  const texts = cells.map((cell) => cell.trim()).filter(Boolean)
  return `Line ${wholeNumber(line)} ${texts.length > 0 ? `holds ${shortened(texts.join(', '))}` : 'is empty'}.`
}
