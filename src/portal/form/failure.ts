import type { Problem } from '#contract/problem.ts'
import { isPermissionName, rightTo } from '#domain/permissions.ts'
import type { Outcome } from '#kernel/run.ts'

/** Why a form did not do it. */
export interface Failure {
  sentence: string
  detail: string | null
  errors?: Problem['errors']
}

/** What a form says of an outcome. The errors of a refusal for want of a right name permissions, not fields: they are said in words. */
export function failureOf(outcome: Exclude<Outcome, { kind: 'done' }>): Failure {
  const { kind, sentence, detail } = outcome
  const errors = kind === 'refused' ? outcome.problem.errors : undefined
  if (kind === 'refused' && outcome.problem.code === 'permission-denied') {
    const lacks = errors?.map(({ message }) => message).filter(isPermissionName) ?? []
    return { sentence, detail: lacks.length > 0 ? `It needs ${rightTo(lacks)}.` : detail }
  }
  return { sentence, detail, ...(errors ? { errors } : {}) }
}
