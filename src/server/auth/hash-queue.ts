import { blockOf, networkOf } from '#server/auth/network.ts'
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
type Line = (typeof lines)[number]

/** The line and origin of a hash; within a line, networks and their blocks take turns (round robin). */
export interface Place {
  line: Line
  block: string
  network: string
  /** Aborted once nobody waits for the hash any more. */
  gone?: AbortSignal | undefined
}

/** The place of a caller in the queue. */
export const placeOf = (caller: Caller, line: Line): Place => ({
  line,
  block: blockOf(caller.address),
  network: networkOf(caller.address),
  gone: caller.gone,
})

/** The place for work of the server itself. */
export const ofTheServer: Place = { line: 'known', block: '', network: '' }

/** Waiting calls by block, then by network, both in the order of their turns. */
type WaitingCalls = Map<string, Map<string, (() => void)[]>>

const waiting: Record<Line, WaitingCalls> = { known: new Map(), files: new Map(), strangers: new Map() }
/** Running hashes, by line and network. */
const runningFrom = new Map<string, number>()
let running = 0
let waitingInAll = 0

const sourceOf = ({ line, network }: Place): string => `${line} ${network}`
const waitingFrom = ({ line, block, network }: Place): number => waiting[line].get(block)?.get(network)?.length ?? 0
const mayRun = (place: Place): boolean =>
  running < maxConcurrent && (place.line === 'known' || (runningFrom.get(sourceOf(place)) ?? 0) < maxConcurrentPerNetwork)

/** The refusal for callers who would wait too long for a hash, whether or not anybody tried the same account. */
export const crowded = (): Refused =>
  new Refused(503, 'unavailable', 'Many people are signing in right now. Try again in a few seconds.', { retry_after: 5 })

/** Throws 503 `unavailable` if the queue would not accept another call from there: before anything is counted or computed. */
export function refuseWhenFull(place: Place): void {
  const own = waitingInAll >= crowdedFrom && place.line === 'strangers' ? waitingWhileCrowded : waitingFromNetwork
  if (waitingFrom(place) < own && waitingInAll < maxWaiting) return
  throw crowded()
}

/**
 * Runs `work` in turn; work that has started runs to its end. Throws 503 `unavailable` when the queue is full, and when the
 * caller is gone before its turn comes.
 */
export async function inTurn<T>(place: Place, work: () => Promise<T>): Promise<T> {
  if (place.gone?.aborted) throw crowded()
  if (!mayRun(place)) {
    refuseWhenFull(place)
    await turnOf(place)
  } else begin(place)
  try {
    return await work()
  } finally {
    end(place)
  }
}

function begin(place: Place): void {
  running += 1
  runningFrom.set(sourceOf(place), (runningFrom.get(sourceOf(place)) ?? 0) + 1)
}

function end(place: Place): void {
  running -= 1
  const remaining = (runningFrom.get(sourceOf(place)) ?? 1) - 1
  if (remaining > 0) runningFrom.set(sourceOf(place), remaining)
  else runningFrom.delete(sourceOf(place))
  lines.some(next)
}

/** Waits for a turn; a caller that is gone leaves the queue at once, so that closed connections delay nobody. */
function turnOf(place: Place): Promise<void> {
  return new Promise((resolve, reject) => {
    const resume = () => {
      place.gone?.removeEventListener('abort', leave)
      resolve()
    }
    const leave = () => {
      stopWaiting(place, resume)
      reject(crowded())
    }
    place.gone?.addEventListener('abort', leave, { once: true })
    wait(place, resume)
  })
}

function wait(place: Place, resume: () => void): void {
  const line = waiting[place.line]
  const networks = line.get(place.block) ?? new Map<string, (() => void)[]>()
  networks.set(place.network, [...(networks.get(place.network) ?? []), resume])
  line.set(place.block, networks)
  waitingInAll += 1
}

function stopWaiting(place: Place, resume: () => void): void {
  const line = waiting[place.line]
  const networks = line.get(place.block)
  const remaining = networks?.get(place.network)?.filter((each) => each !== resume) ?? []
  // The others keep their turns: setting an existing key of a map does not move it.
  if (remaining.length > 0) networks?.set(place.network, remaining)
  else networks?.delete(place.network)
  if (networks?.size === 0) line.delete(place.block)
  waitingInAll -= 1
}

/** Runs the next call of a line; its network moves to the end of its block, and the block to the end of the line. */
function next(of: Line): boolean {
  const line = waiting[of]
  for (const [block, networks] of line) {
    for (const [network, calls] of networks) {
      const place = { line: of, block, network }
      if (!mayRun(place)) continue
      const [resume, ...rest] = calls
      networks.delete(network)
      if (rest.length > 0) networks.set(network, rest)
      line.delete(block)
      if (networks.size > 0) line.set(block, networks)
      waitingInAll -= 1
      begin(place)
      resume?.()
      return true
    }
  }
  return false
}
