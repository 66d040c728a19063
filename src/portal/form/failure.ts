import type { Problem } from '#contract/problem.ts'
import type { Outcome } from '#kernel/run.ts'
import { lackedIn } from '#kernel/api-client.ts'

/** Why a form did not do it. */
export interface Failure {
  sentence: string
  detail: string | null
  errors?: Problem['errors']
  /** Where what it would do is no longer what was sent: the values to put in; it is sent once the person changed or confirmed an amount. */
  stands?: Readonly<Record<string, unknown>> | undefined
  /** Of a page that somebody else saved meanwhile: what is saved now. */
  meanwhile?: Readonly<Record<string, unknown>>
}

/** What a form says of an outcome. The errors of a refusal for want of a right name permissions, not fields: they are said in words. */
export function failureOf(outcome: Exclude<Outcome, { kind: 'done' }>): Failure {
  const { kind, sentence, detail } = outcome
  const errors = kind === 'refused' ? outcome.problem.errors : undefined
  if (kind === 'refused' && outcome.problem.code === 'permission-denied') {
    const lacks = lackedIn(outcome.problem)
    return { sentence, detail: lacks === null ? detail : `It needs ${lacks}.` }
  }
  return { sentence, detail, ...(errors ? { errors } : {}) }
}
