import type { Problem } from '#contract/problem.ts'
import type { Outcome } from '#kernel/run.ts'

/** Why a form did not do it. */
export interface Failure {
  sentence: string
  detail: string | null
  errors?: Problem['errors']
}

/** What a form says of an outcome. The errors of a refusal for want of a right name permissions, not fields. */
export function failureOf(outcome: Exclude<Outcome, { kind: 'done' }>): Failure {
  const { kind, sentence, detail } = outcome
  const errors = kind === 'refused' && outcome.problem.code !== 'permission-denied' ? outcome.problem.errors : undefined
  return { sentence, detail, ...(errors ? { errors } : {}) }
}
