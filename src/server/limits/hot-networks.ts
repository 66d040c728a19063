import { setTimeout as sleep } from 'node:timers/promises'

/** Refusals of a network within a second, above which its next calls wait before anything is done for them. */
const maxRefusalsPerSecond = 10
const waitMilliseconds = 2_000
/** Maximum number of networks remembered; above it all are forgotten. */
const maxNetworks = 10_000

/** Refusals by network, in the second of the last refusal. */
const refusals = new Map<string, { second: number; count: number }>()

const secondNow = (): number => Math.floor(performance.now() / 1000)

/** Counts a refused call of a network. */
export function noteRefusal(network: string): void {
  const second = secondNow()
  const before = refusals.get(network)
  if (refusals.size >= maxNetworks && !before) refusals.clear()
  refusals.set(network, { second, count: before?.second === second ? before.count + 1 : 1 })
}

/** Delays a network that keeps calling although it is refused, so that a flood costs neither statements nor answers. */
export async function coolDown(network: string, patience: number): Promise<void> {
  const noted = refusals.get(network)
  if (noted && noted.count > maxRefusalsPerSecond && noted.second >= secondNow() - 1)
    await sleep(Math.min(waitMilliseconds, patience))
}
