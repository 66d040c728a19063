/** Strangers who wait for one account, in all and from one network, and for how long. */
const waitingAtMost = 200
const waitingFromNetwork = 8

interface Waiter {
  network: string
  go: () => void
}

/** Accounts that a stranger is served at right now, with those who wait. */
const lines = new Map<string, Waiter[]>()

/**
 * Waits until no other stranger is served at this account by this process; null when too many wait, or when it takes
 * longer than `patience` milliseconds. What it answers ends the turn.
 */
export async function enterLine(account: string, network: string, patience: number): Promise<(() => void) | null> {
  const line = lines.get(account)
  const leave = () => leaveLine(account)
  if (!line) {
    lines.set(account, [])
    return leave
  }
  if (line.length >= waitingAtMost || line.filter((each) => each.network === network).length >= waitingFromNetwork) return null
  const served = await new Promise<boolean>((resolve) => {
    const waiter = { network, go: () => resolve(true) }
    line.push(waiter)
    setTimeout(() => {
      const at = line.indexOf(waiter)
      if (at >= 0) line.splice(at, 1)
      // A turn that came meanwhile has resolved already.
      resolve(false)
    }, patience)
  })
  return served ? leave : null
}

function leaveLine(account: string): void {
  const next = lines.get(account)?.shift()
  if (next) next.go()
  else lines.delete(account)
}
