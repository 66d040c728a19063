import { FairQueue } from '#server/limits/fair-queue.ts'

/** Maximum number of unknown callers waiting for one account, in total and from one network. */
const maxWaiting = 200
const waitingFromNetwork = 8

/** Accounts that an unknown caller is being served for, one at a time. */
const queues = new Map<string, FairQueue<Source>>()

const sourceOf = (network: string) => ({ line: '', block: '', network })
type Source = ReturnType<typeof sourceOf>

/**
 * Waits until this process serves no other unknown caller for this account; networks take turns. Returns null when the queue is
 * full, when the wait exceeds `patience` milliseconds, or when `gone` is aborted. The returned function ends the turn.
 */
export async function enterLine(
  account: string,
  network: string,
  patience: number,
  gone?: AbortSignal,
): Promise<(() => void) | null> {
  if (gone?.aborted) return null
  const queue = queues.get(account) ?? new FairQueue<Source>([''], (_, served) => served.length === 0)
  queues.set(account, queue)
  const { waiting } = queue
  if (waiting.length >= maxWaiting || waiting.filter((each) => each.network === network).length >= waitingFromNetwork) return null
  const late = AbortSignal.timeout(Math.max(0, Math.ceil(patience)))
  const leave = await queue.enter(sourceOf(network), gone ? AbortSignal.any([gone, late]) : late)
  if (!leave) return null
  return () => {
    leave()
    if (queue.served.length === 0) queues.delete(account)
  }
}

/** Whether only this network uses the account: it is being served, and nobody else waits. */
export function servesOnly(account: string, network: string): boolean {
  const queue = queues.get(account)
  return queue?.served[0]?.network === network && queue.waiting.length === 0
}
