/** Maximum number of unknown callers waiting for one account, in total and from one network. */
const maxWaiting = 200
const waitingFromNetwork = 8

interface Waiter {
  network: string
  go: () => void
}

/** Accounts that an unknown caller is being served for, with that caller's network and the queue. */
const lines = new Map<string, { served: string; waiting: Waiter[] }>()

/**
 * Waits until this process serves no other unknown caller for this account; networks take turns (round robin). Returns null when
 * the queue is full, when the wait exceeds `patience` milliseconds, or when `gone` is aborted. The returned function ends the
 * turn.
 */
export async function enterLine(
  account: string,
  network: string,
  patience: number,
  gone?: AbortSignal,
): Promise<(() => void) | null> {
  if (gone?.aborted) return null
  const line = lines.get(account)
  const leave = () => leaveLine(account)
  if (!line) {
    lines.set(account, { served: network, waiting: [] })
    return leave
  }
  const { waiting } = line
  if (waiting.length >= maxWaiting || waiting.filter((each) => each.network === network).length >= waitingFromNetwork) return null
  const served = await new Promise<boolean>((resolve) => {
    const end = (served: boolean) => {
      clearTimeout(timer)
      gone?.removeEventListener('abort', giveUp)
      resolve(served)
    }
    const waiter = { network, go: () => end(true) }
    const giveUp = () => {
      waiting.splice(waiting.indexOf(waiter), 1)
      end(false)
    }
    const timer = setTimeout(giveUp, patience)
    gone?.addEventListener('abort', giveUp, { once: true })
    waiting.push(waiter)
  })
  return served ? leave : null
}

/** Whether only this network uses the account: it is being served, and nobody else waits. */
export function servesOnly(account: string, network: string): boolean {
  const line = lines.get(account)
  return line?.served === network && line.waiting.length === 0
}

function leaveLine(account: string): void {
  const line = lines.get(account)
  if (!line) return
  const other = line.waiting.findIndex((each) => each.network !== line.served)
  const [next] = line.waiting.splice(Math.max(other, 0), 1)
  if (!next) return void lines.delete(account)
  line.served = next.network
  next.go()
}
