import { z } from 'zod'
import { refusalCodes } from '#domain/refusal.ts'

/** The sentence of a stale version where its intent has none of its own. */
export const changedMeanwhile = 'This was changed in the meantime. Look at it as it is now, then try again.'

/** Every code a problem document may carry: those of the API itself, then the domain's refusals. */
const problemCodes = [
  'malformed-request',
  'validation-failed',
  'cursor-invalid',
  'page-too-far',
  'export-unfinished',
  'application-key-invalid',
  'not-signed-in',
  'session-expired',
  'session-idle',
  'credentials-invalid',
  'code-invalid',
  'challenge-expired',
  'authorization-code-invalid',
  'link-invalid',
  'too-many-attempts',
  'link-needed',
  'permission-denied',
  'not-found',
  'method-not-allowed',
  'stale-version',
  'idempotency-key-reused',
  'idempotency-key-required',
  'version-required',
  'payload-too-large',
  'unsupported-media-type',
  'run-over',
  'too-many-runs',
  'undo-refused',
  'internal-error',
  'unavailable',
  ...refusalCodes,
] as const
export type ProblemCode = (typeof problemCodes)[number]

/** An RFC 9457 problem document. `detail` is the sentence for the person. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  code: z.enum(problemCodes),
  /** For validation: which field, and what is wrong with it. */
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** For a stale version: the thing as it is now. */
  facts: z.unknown().optional(),
  /** For too many attempts: seconds until the next one may succeed. */
  retry_after: z.int().optional(),
})
export type Problem = z.infer<typeof Problem>
