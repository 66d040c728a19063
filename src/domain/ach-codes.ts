/** What an ACH code of the bank reports. Only SETTLEMENT, RETURN, DISHONORED and CONTESTED move money. */
export type CodeFamily = 'SETTLEMENT' | 'RETURN' | 'DISHONORED' | 'CONTESTED' | 'NOTICE'

/** How long after settlement a return may arrive, in banking days or calendar days. */
export interface ReturnWindow {
  days: number
  kind: 'BANKING' | 'CALENDAR'
}

const twoBankingDays: ReturnWindow = { days: 2, kind: 'BANKING' }
const sixtyDays: ReturnWindow = { days: 60, kind: 'CALENDAR' }
const sixtyDayCodes = ['R05', 'R07', 'R10', 'R11']

const returnTitles = {
  R01: 'Insufficient funds',
  R02: 'Account closed',
  R03: 'No account',
  R04: 'Invalid account number',
  R05: 'Unauthorized consumer debit',
  R06: "Returned at the originating bank's request",
  R07: 'Authorization revoked',
  R08: 'Payment stopped',
  R09: 'Uncollected funds',
  R10: 'Originator not known',
  R11: 'Not in accordance with the terms',
  R12: 'Account sold to another bank',
  R13: 'Invalid ACH routing number',
  R14: 'Representative payee deceased or unable to continue',
  R15: 'Beneficiary or account holder deceased',
  R16: 'Account frozen',
  R17: 'File record edit criteria',
  R18: 'Improper effective entry date',
  R19: 'Amount field error',
  R20: 'Not a transaction account',
  R21: 'Invalid company identification',
  R22: 'Invalid individual ID number',
  R23: 'Credit entry refused by receiver',
  R24: 'Duplicate entry',
  R25: 'Addenda error',
  R26: 'Mandatory field error',
  R27: 'Trace number error',
  R28: 'Routing number check digit error',
  R29: 'Corporate customer advises not authorized',
  R30: 'Bank not in check truncation program',
  R31: 'Permissible return entry (CCD and CTX)',
  R32: 'Receiving bank cannot settle',
  R33: 'Return of XCK entry',
  R37: 'Source document presented for payment',
  R38: 'Stop payment on source document',
  R39: 'Improper source document',
  R50: 'State law affecting RCK acceptance',
  R51: 'Item related to RCK entry is ineligible',
  R52: 'Stop payment on item related to RCK entry',
  R53: 'Item and RCK entry presented for payment',
  R80: 'IAT entry coding error',
  R81: 'Bank does not participate in IAT program',
  R82: 'Invalid foreign bank identification',
  R83: 'Foreign bank cannot settle',
  R84: 'Entry not processed by gateway',
  R85: 'Incorrectly coded outbound international payment',
} as const
export type ReturnCode = keyof typeof returnTitles

const dishonoredTitles = {
  R61: 'Misrouted return',
  R62: 'Return of erroneous or reversing debit',
  R63: 'Incorrect dollar amount',
  R64: 'Incorrect individual identification',
  R65: 'Incorrect transaction code',
  R66: 'Incorrect company identification',
  R67: 'Duplicate return',
  R68: 'Untimely return',
  R69: 'Field error',
  R70: 'Permissible return entry not accepted',
} as const

const contestedTitles = {
  R71: 'Misrouted dishonored return',
  R72: 'Untimely dishonored return',
  R73: 'Timely original return',
  R74: 'Corrected return',
  R75: 'Return not a duplicate',
  R76: 'No errors found',
  R77: 'Dishonored return R62 not accepted',
} as const

const noticeTitles = {
  C01: 'Incorrect account number',
  C02: 'Incorrect routing number',
  C03: 'Incorrect routing number and account number',
  C04: 'Incorrect account holder name',
  C05: 'Incorrect transaction code',
  C06: 'Incorrect account number and transaction code',
  C07: 'Incorrect routing number, account number and transaction code',
  C08: 'Incorrect foreign bank identification',
  C09: 'Incorrect individual ID number',
  C10: 'Incorrect company name',
  C11: 'Incorrect company identification',
  C12: 'Incorrect company name and identification',
  C13: 'Addenda format error',
  C14: 'Incorrect SEC code of international payment',
} as const

export interface AchCode {
  code: string
  family: CodeFamily
  title: string
  /** Only set for the family RETURN. */
  window: ReturnWindow | null
}

const codesOf = (family: CodeFamily, titles: Readonly<Record<string, string>>): AchCode[] =>
  Object.entries(titles).map(([code, title]) => ({
    code,
    family,
    title,
    window: family !== 'RETURN' ? null : sixtyDayCodes.includes(code) ? sixtyDays : twoBankingDays,
  }))

/** Every code of the bank that the service knows, by family (docs/rules/invoices.md). */
export const achCodes: readonly AchCode[] = [
  ...codesOf('SETTLEMENT', { SETTLED: 'Settled' }),
  ...codesOf('RETURN', returnTitles),
  ...codesOf('DISHONORED', dishonoredTitles),
  ...codesOf('CONTESTED', contestedTitles),
  ...codesOf('NOTICE', noticeTitles),
]

const byCode: ReadonlyMap<string, AchCode> = new Map(achCodes.map((each) => [each.code, each]))

/** The codes with which a debit is returned, in order. */
export const returnCodes = Object.keys(returnTitles) as [ReturnCode, ...ReturnCode[]]

/** A code in canonical form: upper case without blanks (` r01` is R01). */
export const normalizeCode = (code: string): string => code.replace(/\s/g, '').toUpperCase()

const known = (code: string): AchCode | undefined => byCode.get(normalizeCode(code))

/** The codes of a family. */
export const codesOfFamily = (family: CodeFamily): string[] =>
  achCodes.filter((each) => each.family === family).map(({ code }) => code)

/** The family of a code; null for an unknown code. */
export const familyOf = (code: string): CodeFamily | null => known(code)?.family ?? null

/** The return window of a code; null if it is not a return code. */
export const windowOf = (code: string): ReturnWindow | null => known(code)?.window ?? null

const prefixes: Partial<Record<CodeFamily, string>> = {
  DISHONORED: 'Dishonored: ',
  CONTESTED: 'Contested: ',
  NOTICE: 'Notice of change: ',
}

/** Why a known code cannot be recorded as a return; null for a return code and for an unknown code. */
export function notAReturn(code: string): string | null {
  switch (familyOf(code)) {
    case 'NOTICE':
      return 'This is a notice of change, which moves no money.'
    case 'DISHONORED':
    case 'CONTESTED':
      return "Only the bank reports this code. Book it under 'Bank results'."
    default:
      return null
  }
}

/** A code for people: `R01 Insufficient funds`, `R67 Dishonored: Duplicate return`; an unknown code as it arrived. */
export function codeLabel(code: string): string {
  const entry = known(code)
  if (!entry) return code || 'No code'
  return entry.family === 'SETTLEMENT' ? entry.title : `${entry.code} ${prefixes[entry.family] ?? ''}${entry.title}`
}
