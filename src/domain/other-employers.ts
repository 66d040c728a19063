import { named } from '#domain/mapping-places.ts'

/** Message for a line about another employer than that of the mapping. */
export const anotherEmployer = {
  column: named('employer_code'),
  /** For people who may not see the names of the employers. */
  sentence: 'The line is about another employer.',
}

/** The other employers that lines of a file may be about, by code. */
export interface OtherEmployers {
  /** All codes of the organization: a line with another one, or without one, may be about anybody's employee. */
  known: ReadonlySet<string>
  /**
   * Codes whose lines are left to the imports of these employers and do not count for this one; null if every line of another
   * employer is, also without a code.
   */
  left: ReadonlySet<string> | null
}

/** Whether a line with this code, or without one, is left to the import of another employer. */
export const isLeft = ({ left }: OtherEmployers, code: string | undefined): boolean =>
  left === null || (code !== undefined && left.has(code))

/** Message for a line with a code that no employer of the organization has, or none that is open to the sender. */
export const unknownEmployer = (code: string): string => `No employer of the organization has the code ${code}.`

/** Message for a line that could be about any of several employers. */
export const employerMissing = 'The employer code is missing, and the file is read for several employers.'
