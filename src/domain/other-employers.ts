import { named } from '#domain/mapping-places.ts'

/** Said of a line that is about another employer than the one whose mapping reads the file. */
export const anotherEmployer = {
  column: named('employer_code'),
  /** To whom neither employer may be named. */
  sentence: 'The line is about another employer.',
}

/** How lines about other employers than the one whose file it is are met. */
export interface OtherEmployers {
  /** Whether a line with this code, or without one, is left to the import of another employer: it is no line of this one. */
  leaves: (code: string | undefined) => boolean
  /** What is wrong with a line of another code. */
  fault: (code: string) => string
  /** Whether an employer has this code: a line with another one, or without one, may be about anybody's employee. */
  isKnown: (code: string) => boolean
}

/** Said of a line that could be about any of several employers. */
export const employerMissing = 'The employer code is missing, and the file is read for several employers.'
