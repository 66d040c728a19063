import { z } from 'zod'
import { intentById } from '#contract/define.ts'
import { hasSecret } from '#contract/secrets.ts'
import { callStates, type OutboxCall } from '#kernel/outbox.ts'

/** The server keeps replies for 24 hours: an older key no longer makes a retry safe. */
const keptFor = 24 * 3_600_000

/** A stored call. `gaveUp` instead of a state: as stored by earlier versions of the portal. */
export const StoredCall = z
  .object({
    state: z.enum(callStates).optional(),
    key: z.string(),
    person: z.string(),
    command: z.string(),
    target: z.object({ entity: z.string(), id: z.string() }).nullable(),
    intent: z.string(),
    at: z.record(z.string(), z.coerce.string()),
    body: z.record(z.string(), z.unknown()),
    since: z.number(),
    gaveUp: z.boolean().optional(),
  })
  .transform(({ gaveUp, state = gaveUp ? 'given-up' : 'unknown', ...call }): OutboxCall => ({ ...call, state }))

/** Whether a stored call can still be repeated under its key. */
export const isRepeatable = ({ since }: OutboxCall): boolean => Date.now() - since < keptFor

/** Whether the body of a call contains a secret: such calls are kept in memory, never in a storage. */
export const carriesSecret = ({ intent }: OutboxCall): boolean => {
  const known = intentById(intent)
  return known !== undefined && hasSecret(known.body)
}
