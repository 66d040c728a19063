import { FairQueue } from '#server/limits/fair-queue.ts'
import { blockOf, networkOf } from '#server/limits/network.ts'
import { Refused } from '#server/http-error.ts'
import type { Caller } from '#server/auth/caller.ts'

/** Concurrent hashes: each takes megabytes and a thread, and requests of signed-in people need threads, too. */
const maxConcurrent = 2
/** Concurrent hashes per network for unknown callers: a flood leaves a thread to everybody else. */
const maxConcurrentPerNetwork = 1
/**
 * Maximum number of callers waiting per network; fewer for unknown callers once `crowdedFrom` calls wait, and `maxWaiting` in
 * total.
 */
const waitingFromNetwork = 50
const waitingWhileCrowded = 2
const crowdedFrom = 200
const maxWaiting = 2_000

/** The lines in order of priority: people on known devices, SFTP users from known networks, everybody else. */
const lines = ['known', 'files', 'strangers'] as const

/** The line and origin of a hash. */
export interface Place {
  line: (typeof lines)[number]
  block: string
  network: string
  /** Aborted once nobody waits for the hash any more. */
  gone?: AbortSignal | undefined
}

/** The place of a caller in the queue. */
export const placeOf = (caller: Caller, line: Place['line']): Place => ({
  line,
  block: blockOf(caller.address),
  network: networkOf(caller.address),
  gone: caller.gone,
})

/** The place for work of the server itself. */
export const ofTheServer: Place = { line: 'known', block: '', network: '' }

const fromSameNetwork = (one: Place) => (other: Place) => other.line === one.line && other.network === one.network

const queue = new FairQueue<Place>(lines, (place, running) => {
  if (running.length >= maxConcurrent) return false
  return place.line === 'known' || running.filter(fromSameNetwork(place)).length < maxConcurrentPerNetwork
})

/** The refusal for callers who would wait too long for a hash, whether or not anybody tried the same account. */
export const crowded = (): Refused =>
  new Refused(503, 'unavailable', 'Many people are signing in right now. Try again in a few seconds.', { retry_after: 5 })

/** Throws 503 `unavailable` if the queue would not accept another call from there: before anything is counted or computed. */
export function refuseWhenFull(place: Place): void {
  const { waiting } = queue
  const isCrowded = waiting.length >= crowdedFrom && place.line === 'strangers'
  const own = waiting.filter(fromSameNetwork(place)).length
  if (own >= (isCrowded ? waitingWhileCrowded : waitingFromNetwork) || waiting.length >= maxWaiting) throw crowded()
}

/**
 * Runs `work` in turn; work that has started runs to its end. Throws 503 `unavailable` when the queue is full, and when the
 * caller is gone before its turn comes.
 */
export async function inTurn<T>(place: Place, work: () => Promise<T>): Promise<T> {
  if (!queue.isFreeFor(place)) refuseWhenFull(place)
  const leave = await queue.enter(place, place.gone)
  if (!leave) throw crowded()
  try {
    return await work()
  } finally {
    leave()
  }
}
