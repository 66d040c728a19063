import { named } from '#domain/mapping-places.ts'

/** Message for a line about another employer than that of the mapping. */
export const anotherEmployer = {
  column: named('employer_code'),
  /** For people who may not see the names of the employers. */
  sentence: 'The line is about another employer.',
}

/** How lines about other employers than that of the file are handled. */
export interface OtherEmployers {
  /** Whether a line with this code, or without one, is left to the import of another employer and does not count for this one. */
  leaves: (code: string | undefined) => boolean
  /** The error for a line with another code. */
  fault: (code: string) => string
  /** Whether an employer has this code: a line with an unknown one, or without one, may be about anybody's employee. */
  isKnown: (code: string) => boolean
}

/** Message for a line that could be about any of several employers. */
export const employerMissing = 'The employer code is missing, and the file is read for several employers.'
