import { normalizeCode } from '#domain/ach-codes.ts'
import { routingProblem } from '#domain/billing-account.ts'

/** The corrected data of a notice of change; values that are not corrected are missing. */
export interface CorrectedData {
  routing_number?: string
  account_number?: string
  transaction_code?: string
}

/** A parsed notice of change; `problem` is a sentence if the data cannot be used. */
export interface NoticeOfChange {
  data: CorrectedData
  problem: string | null
}

type Field = keyof CorrectedData

/** Start and length of each value in the corrected data field of a type 98 addenda record, by change code. */
const layouts: Readonly<Record<string, readonly [field: Field, start: number, length: number][]>> = {
  C01: [['account_number', 0, 17]],
  C02: [['routing_number', 0, 9]],
  C03: [
    ['routing_number', 0, 9],
    ['account_number', 12, 17],
  ],
  C05: [['transaction_code', 0, 2]],
  C06: [
    ['account_number', 0, 17],
    ['transaction_code', 20, 2],
  ],
  C07: [
    ['routing_number', 0, 9],
    ['account_number', 9, 17],
    ['transaction_code', 26, 2],
  ],
}

const shapes: Readonly<Record<Field, RegExp>> = {
  routing_number: /^\d{9}$/,
  account_number: /^\d{4,17}$/,
  transaction_code: /^\d{2}$/,
}

/** Whether a notice with this code corrects the debited account. */
export const correctsAccount = (code: string): boolean => Object.hasOwn(layouts, normalizeCode(code))

/** The corrected data field: positions 36 to 64 of a full addenda record, else the text without a leading change code. */
const correctedField = (addenda: string): string => {
  const record = addenda.trimStart()
  if (/^798C\d\d/i.test(record) && record.length > 35) return record.slice(35, 64)
  return addenda.trim().replace(/^C\d\d[\s:;,|*-]*/i, '')
}

/** The values at their fixed positions; null unless each is valid and the gaps are blank. */
function atPositions(field: string, layout: (typeof layouts)[string]): CorrectedData | null {
  const data: CorrectedData = {}
  let rest = field.padEnd(29)
  for (const [name, start, length] of layout) {
    const value = field.slice(start, start + length).trim()
    if (!shapes[name].test(value)) return null
    data[name] = value
    rest = rest.slice(0, start) + ' '.repeat(length) + rest.slice(start + length)
  }
  return rest.trim() === '' ? data : null
}

/** The values in sequence, with any separators and words between them. */
function inSequence(field: string, layout: (typeof layouts)[string]): CorrectedData | null {
  const values = field.split(/[^0-9A-Za-z]+/).filter((word) => /\d/.test(word))
  if (values.length !== layout.length) return null
  const data: CorrectedData = {}
  for (const [at, [name]] of layout.entries()) {
    const value = values[at] as string
    if (!shapes[name].test(value)) return null
    data[name] = value
  }
  return data
}

/**
 * Parses the corrected data of a notice of change from its addenda, a full type 98 record or only its corrected data field.
 * Null if the code corrects no account, or the addenda do not match the code. A routing number with a wrong check digit is left
 * out and reported as `problem`.
 */
export function readNotice(code: string, addenda: string | null): NoticeOfChange | null {
  const layout = layouts[normalizeCode(code)]
  if (!layout || !addenda) return null
  const field = correctedField(addenda)
  const data = atPositions(field, layout) ?? inSequence(field, layout)
  if (!data) return null
  const wrong = data.routing_number === undefined ? null : routingProblem(data.routing_number)
  if (wrong === null) return { data, problem: null }
  const { routing_number, ...rest } = data
  return { data: rest, problem: `The routing number ${routing_number} of this notice cannot be used. ${wrong}` }
}
