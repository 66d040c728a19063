import { z } from 'zod'

/** The message for a stale version if its intent has none of its own. */
export const changedMeanwhile = 'This was changed in the meantime. Look at it as it is now, then try again.'

/** The specification's request in messages about a changed status; a form that has read everything again shows what changed instead. */
export const refreshPage = 'Refresh the page and try again.'

/** Path of the errors in a refusal that names several permissions of which any one is enough, instead of `permission`. */
export const oneOfPermissions = 'one-of-permissions'

/** An RFC 9457 problem document of any API. `detail` is the message for people; the codes of this API are in `problem-codes.ts`. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  code: z.string(),
  /** For validation: the field, and its error. */
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** For a stale version: the current record. */
  facts: z.unknown().optional(),
  /** For too many attempts: seconds until the next one may succeed. */
  retry_after: z.int().optional(),
  /** The request in the logs of the server, for support. */
  request_id: z.string().optional(),
})
export type Problem = z.infer<typeof Problem>
