import { blockOf, networkOf } from '#server/auth/network.ts'
import { Refused } from '#server/refused.ts'
import type { Caller } from '#server/auth/caller.ts'

/** Hashes at a time: each takes megabytes and a thread, and requests of people who are signed in need threads too. */
const atOnce = 2
/** Of strangers from one network at a time: a flood leaves a thread to everybody else. */
const atOnceFromNetwork = 1
/** Waiting strangers from one network; and from each while many networks wait. */
const waitingFromNetwork = 50
const waitingWhileCrowded = 2
const crowdedFrom = 200
const waitingAtMost = 2_000

/** Whose hash it is: known devices go first, then networks and their neighbourhoods in turn. */
export interface Place {
  known: boolean
  block: string
  network: string
  /** Told once nobody waits for it any more. */
  gone?: AbortSignal | undefined
}

/** The place in the queue of whoever calls. */
export const placeOf = (caller: Caller, known: boolean): Place => ({
  known,
  block: blockOf(caller.address),
  network: networkOf(caller.address),
  gone: caller.gone,
})

/** Work of the server itself. */
export const ofTheServer: Place = { known: true, block: '', network: '' }

/** Waiting calls by network, those by neighbourhood, both in the order of their turns. */
type Waiting = Map<string, Map<string, (() => void)[]>>

const waiting: Record<'known' | 'strangers', Waiting> = { known: new Map(), strangers: new Map() }
const runningStrangers = new Map<string, number>()
let running = 0
let waitingInAll = 0

const lineOf = (place: Place): Waiting => (place.known ? waiting.known : waiting.strangers)
const waitingFrom = (place: Place): number => lineOf(place).get(place.block)?.get(place.network)?.length ?? 0
const mayRun = (place: Place): boolean =>
  running < atOnce && (place.known || (runningStrangers.get(place.network) ?? 0) < atOnceFromNetwork)

/** The refusal of whoever would wait too long for a hash, whether or not anybody tried the same account. */
export const crowded = (): Refused =>
  new Refused(503, 'unavailable', 'Many people are signing in right now. Try again in a few seconds.', { retry_after: 5 })

/** Throws 503 `unavailable` where one more from there would not be taken: before anything is counted or computed. */
export function refuseWhenFull(place: Place): void {
  const own = waitingInAll >= crowdedFrom && !place.known ? waitingWhileCrowded : waitingFromNetwork
  if (waitingFrom(place) < own && waitingInAll < waitingAtMost) return
  throw crowded()
}

/**
 * Computes in turn; what was begun is computed to its end. Throws 503 `unavailable` when too many wait already, and
 * where nobody waits for it any more before its turn comes.
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
  if (!place.known) runningStrangers.set(place.network, (runningStrangers.get(place.network) ?? 0) + 1)
}

function end(place: Place): void {
  running -= 1
  if (!place.known) {
    const left = (runningStrangers.get(place.network) ?? 1) - 1
    if (left > 0) runningStrangers.set(place.network, left)
    else runningStrangers.delete(place.network)
  }
  next(waiting.known, true) || next(waiting.strangers, false)
}

/** Waits for a turn; whoever is gone gives up the place at once, so that the dead keep nobody waiting. */
function turnOf(place: Place): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = () => {
      place.gone?.removeEventListener('abort', leave)
      resolve()
    }
    const leave = () => {
      stopWaiting(place, go)
      reject(crowded())
    }
    place.gone?.addEventListener('abort', leave, { once: true })
    wait(place, go)
  })
}

function wait(place: Place, go: () => void): void {
  const line = lineOf(place)
  const networks = line.get(place.block) ?? new Map<string, (() => void)[]>()
  networks.set(place.network, [...(networks.get(place.network) ?? []), go])
  line.set(place.block, networks)
  waitingInAll += 1
}

function stopWaiting(place: Place, go: () => void): void {
  const line = lineOf(place)
  const networks = line.get(place.block)
  const left = networks?.get(place.network)?.filter((each) => each !== go) ?? []
  // The others keep their turns: a key that is set again stays where it was.
  if (left.length > 0) networks?.set(place.network, left)
  else networks?.delete(place.network)
  if (networks?.size === 0) line.delete(place.block)
  waitingInAll -= 1
}

/** Lets the next one of a line run; it goes to the end of its neighbourhood, and that to the end of all. */
function next(line: Waiting, known: boolean): boolean {
  for (const [block, networks] of line) {
    for (const [network, calls] of networks) {
      const place = { known, block, network }
      if (!mayRun(place)) continue
      const [go, ...rest] = calls
      networks.delete(network)
      if (rest.length > 0) networks.set(network, rest)
      line.delete(block)
      if (networks.size > 0) line.set(block, networks)
      waitingInAll -= 1
      begin(place)
      go?.()
      return true
    }
  }
  return false
}
