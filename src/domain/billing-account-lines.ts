import { noAccountNumber, routingProblem } from '#domain/billing-account.ts'

/** An account as a line of a spreadsheet. */
export interface AccountLine {
  nickname: string
  name: string
  routing_number: string
  account_number: string
  ach_code?: string
  bank_name?: string
}

/** The columns in order, with their titles. */
export const accountColumns = ['Nickname', 'Account name', 'Routing number', 'Account number', 'ACH code', 'Bank'] as const

/** Nobody would review more lines than this. */
export const maxAccountLines = 50

const maxLengths = [60, 100, 9, 17, 20, 100]

/** The cells of a line: separated by tabs, as copied from a spreadsheet, else by commas or semicolons. */
const cellsOf = (line: string): string[] => line.split(line.includes('\t') ? '\t' : /[,;]/).map((cell) => cell.trim())

/** Spreadsheets drop leading zeros of routing numbers. */
const routing = (cell: string): string => (/^\d{7,8}$/.test(cell) ? cell.padStart(9, '0') : cell)

/** A header mentions the routing number and has no digits. */
const isHeading = (line: string): boolean => /routing/i.test(line) && !/\d{4}/.test(line)

/** Parses one account per line and lists errors by line, in words for people (VAL-005, VAL-006). Skips a header and blank lines. */
export function readAccountLines(text: string): { accounts: AccountLine[]; faults: string[] } {
  const accounts: AccountLine[] = []
  const faults: string[] = []
  const lines = text.split(/\r\n?|\n/)
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '' || (accounts.length === 0 && isHeading(line))) continue
    const cells = cellsOf(line)
    const [nickname = '', name = '', number = '', account_number = '', ach_code = '', bank_name = ''] = cells
    const routing_number = routing(number)
    const wrong =
      cells.length > accountColumns.length
        ? `At most ${accountColumns.length} columns`
        : !nickname || !name || !number || !account_number
          ? `${accountColumns[[nickname, name, number, account_number].findIndex((cell) => !cell)]} is missing`
          : (tooLong(cells) ?? routingProblem(routing_number) ?? (/^\d{4,17}$/.test(account_number) ? null : noAccountNumber))
    if (wrong) faults.push(`Line ${at + 1}: ${wrong}`)
    accounts.push({
      nickname,
      name,
      routing_number,
      account_number,
      ...(ach_code ? { ach_code } : {}),
      ...(bank_name ? { bank_name } : {}),
    })
  }
  return { accounts, faults }
}

function tooLong(cells: readonly string[]): string | null {
  const at = cells.findIndex((cell, index) => cell.length > (maxLengths[index] ?? 0))
  return at === -1 || at === 2 || at === 3 ? null : `${accountColumns[at]}: at most ${maxLengths[at]} characters`
}
