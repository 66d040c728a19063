import { setTimeout as sleep } from 'node:timers/promises'

/** Refusals of a network within a second, from which on its next calls are let wait before anything is asked for them. */
const coolUpTo = 10
const waitMilliseconds = 2_000
/** Networks that are remembered; then all are forgotten. */
const maxNetworks = 10_000

/** Refusals by network, of the second in which the last one was. */
const refusals = new Map<string, { second: number; count: number }>()

const secondNow = (): number => Math.floor(performance.now() / 1000)

/** Notes that a call of a network was refused. */
export function noteRefusal(network: string): void {
  const second = secondNow()
  const before = refusals.get(network)
  if (refusals.size >= maxNetworks && !before) refusals.clear()
  refusals.set(network, { second, count: before?.second === second ? before.count + 1 : 1 })
}

/** Waits where a network calls again and again although it is refused: a flood then costs neither statements nor answers. */
export async function coolDown(network: string, patience: number): Promise<void> {
  const noted = refusals.get(network)
  if (noted && noted.count > coolUpTo && noted.second >= secondNow() - 1) await sleep(Math.min(waitMilliseconds, patience))
}
