import { STATUS_CODES } from 'node:http'
import type { Problem } from '#contract/problem.ts'
import type { ProblemCode } from '#contract/problem-codes.ts'
import { codeOf } from '#server/cannot-start.ts'
import { isAway, isDiskFull, isHeld } from '#server/postgres/away.ts'
import { Refused } from '#server/http-error.ts'

export const problemType = 'application/problem+json; charset=utf-8'

/** A problem document (RFC 9457). */
export const problemOf = (refused: Refused): Problem => ({
  type: `urn:admin-portal:problem:${refused.code}`,
  title: STATUS_CODES[refused.status] ?? 'Problem',
  status: refused.status,
  detail: refused.detail,
  code: refused.code,
  ...refused.extra,
})

/** PostgreSQL errors for values that no schema caught: out of range, an invalid date, an unsupported character. */
const unholdable = new Set(['22003', '22007', '22008', '22021', '22P02', '22P05', '54000'])

/**
 * Violated constraints that no rule caught earlier. The transaction is rolled back, so nothing is left behind; it is logged,
 * since a rule should have named the invalid field.
 */
const byConstraint: Record<string, [number, ProblemCode, string]> = {
  '23502': [422, 'validation-failed', 'A value is missing in this request.'],
  '23503': [
    409,
    'reference-violated',
    'Something that this refers to is gone, or something else still refers to it. Reload and try again.',
  ],
  '23505': [409, 'already-exists', 'Something with these values exists already. Reload and try again.'],
  '23514': [422, 'validation-failed', 'A value in this request is out of range.'],
  '23P01': [409, 'already-exists', 'Something with these values exists already. Reload and try again.'],
}

const byFastify: Record<string, [number, ProblemCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'payload-too-large', 'The body is larger than this call takes.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'unsupported-media-type', 'Send the body as application/json.'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'malformed-request', 'The body is not JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'malformed-request', 'The length of the body is not what its header says.'],
  FST_ERR_BAD_URL: [400, 'malformed-request', 'The address is not well formed.'],
  FST_ERR_MAX_PARAM_LENGTH: [404, 'not-found', "This record doesn't exist, or you don't have access to it."],
}

const notAvailable = new Refused(503, 'unavailable', 'The service is not available right now. Try again in a moment.', {
  retry_after: 2,
})
const heldNow = new Refused(
  503,
  'unavailable',
  'This is being changed right now, by somebody else or by a file that is imported. Nothing was done. Try again in a moment.',
  { retry_after: 2 },
)
const cannotSave = new Refused(503, 'unavailable', 'Nothing can be saved right now. Try again later.', { retry_after: 30 })

/** Any thrown error as a refusal; `unexpected` ones are logged and reveal no internals. */
export function refusalOf(thrown: unknown): { refused: Refused; unexpected: boolean } {
  if (thrown instanceof Refused) return { refused: thrown, unexpected: false }
  const known = byFastify[codeOf(thrown)]
  if (known) return { refused: new Refused(...known), unexpected: false }
  if (isDiskFull(thrown)) return { refused: cannotSave, unexpected: true }
  if (isHeld(thrown)) return { refused: heldNow, unexpected: true }
  if (isAway(thrown)) return { refused: notAvailable, unexpected: true }
  if (unholdable.has(codeOf(thrown)))
    return { refused: new Refused(422, 'validation-failed', 'A value in this request is out of range.'), unexpected: true }
  const violated = byConstraint[codeOf(thrown)]
  if (violated) return { refused: new Refused(...violated), unexpected: true }
  const status = (thrown as { statusCode?: unknown } | null)?.statusCode
  if (typeof status === 'number' && status >= 400 && status < 500)
    return { refused: new Refused(status, 'malformed-request', 'The request could not be read.'), unexpected: false }
  return { refused: new Refused(500, 'internal-error', 'Something went wrong. Try again later.'), unexpected: true }
}
