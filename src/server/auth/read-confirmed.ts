import { digest } from '#server/auth/secret.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'

/** Maximum number of people cached; the oldest entry is evicted. */
const maxEntries = 1_000
const lastSeen = new Map<string, Actor>()

/**
 * Reads as the person behind a token. The read starts in the same round trip as the check of the token, as the person that the
 * token last belonged to; its result is used only if the check returns the same person with the same rights. Otherwise it is
 * discarded: either the check refuses, or the read is repeated as the person it returns.
 */
export async function readConfirmed<T>(
  checking: Promise<Actor>,
  token: string | null,
  tx: Tx,
  readAs: (tx: Tx, actor: Actor) => Promise<T>,
): Promise<T> {
  const expected = token === null ? undefined : lastSeen.get(digest(token))
  const [checked, reading] = await Promise.allSettled([checking, expected && readAs(tx, expected)])
  if (checked.status === 'rejected') {
    if (expected) lastSeen.delete(expected.sessionId)
    throw checked.reason
  }
  const actor = checked.value
  if (!expected || !isSame(actor, expected)) {
    remember(actor)
    return readAs(tx, actor)
  }
  if (reading.status === 'rejected') throw reading.reason
  return reading.value as T
}

function remember(actor: Actor): void {
  lastSeen.delete(actor.sessionId)
  const [oldest] = lastSeen.keys()
  if (lastSeen.size >= maxEntries && oldest !== undefined) lastSeen.delete(oldest)
  lastSeen.set(actor.sessionId, actor)
}

/** Whether everything that a read may depend on is equal. */
const isSame = (one: Actor, other: Actor): boolean => fingerprint(one) === fingerprint(other)

const fingerprint = ({ held, ...actor }: Actor): string => JSON.stringify([Object.entries(actor), [...held]])
