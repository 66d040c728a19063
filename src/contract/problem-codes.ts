import { z } from 'zod'
import { Problem } from '#contract/problem.ts'
import { refusalCodes } from '#domain/refusal.ts'

/** All codes of problem documents: those of the API itself, then the domain's refusals. */
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
  'session-ended',
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
  'already-exists',
  'reference-violated',
  'idempotency-key-reused',
  'idempotency-key-required',
  'version-required',
  'payload-too-large',
  'unsupported-media-type',
  'run-over',
  'too-many-runs',
  'too-many-exports',
  'undo-refused',
  'internal-error',
  'unavailable',
  ...refusalCodes,
] as const
export type ProblemCode = (typeof problemCodes)[number]

/** A problem document as returned by this API. */
export const CodedProblem = Problem.extend({ code: z.enum(problemCodes) })
