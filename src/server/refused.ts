import type { Problem, ProblemCode } from '#contract/problem.ts'

/** Thrown anywhere below `handle.ts` to answer with a problem document. */
export class Refused extends Error {
  readonly status: number
  readonly code: ProblemCode
  readonly detail: string
  readonly extra: Partial<Pick<Problem, 'errors' | 'facts' | 'retry_after'>>

  constructor(status: number, code: ProblemCode, detail: string, extra: Refused['extra'] = {}) {
    super(detail)
    this.status = status
    this.code = code
    this.detail = detail
    this.extra = extra
  }
}

/** The answer for what is not there, or not for this person: never which of the two (decisions section 9). */
export const notFound = (): Refused => new Refused(404, 'not-found', 'There is nothing here, or it is not open to you.')
