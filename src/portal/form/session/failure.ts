import type { Problem } from '#contract/problem.ts'
import type { Outcome } from '#kernel/run.ts'
import { lackedIn } from '#kernel/api-client.ts'

/** Why a form was not sent. */
export interface Failure {
  sentence: string
  detail: string | null
  errors?: Problem['errors']
  /**
   * If the result would differ from the one sent: the values to put in; the form is sent once the user has changed or confirmed
   * an amount.
   */
  stands?: Readonly<Record<string, unknown>> | undefined
  /** For a page that somebody else saved in the meantime: the values saved now. */
  meanwhile?: Readonly<Record<string, unknown>>
}

/**
 * The failure that a form shows for an outcome. The errors of a permission-denied refusal name permissions instead of fields, so
 * they become text.
 */
export function failureOf(outcome: Exclude<Outcome, { kind: 'done' }>): Failure {
  const { kind, sentence, detail } = outcome
  const errors = kind === 'refused' ? outcome.problem.errors : undefined
  if (kind === 'refused' && outcome.problem.code === 'permission-denied') {
    const lacks = lackedIn(outcome.problem)
    return { sentence, detail: lacks === null ? detail : `It needs ${lacks}.` }
  }
  return { sentence, detail, ...(errors ? { errors } : {}) }
}
