import { z } from 'zod'

/** The sentence of a stale version where its intent has none of its own. */
export const changedMeanwhile = 'This was changed in the meantime. Look at it as it is now, then try again.'

/** What a sentence of the specification asks for where a status has changed; a form that read everything anew says instead what changed. */
export const refreshPage = 'Refresh the page and try again.'

/** Where the errors of a refusal for want of a right name several of which one is enough: instead of `permission`. */
export const oneOfPermissions = 'one-of-permissions'

/** An RFC 9457 problem document of any API. `detail` is the sentence for the person; the codes of ours are in `problem-codes.ts`. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  code: z.string(),
  /** For validation: which field, and what is wrong with it. */
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** For a stale version: the thing as it is now. */
  facts: z.unknown().optional(),
  /** For too many attempts: seconds until the next one may succeed. */
  retry_after: z.int().optional(),
})
export type Problem = z.infer<typeof Problem>
