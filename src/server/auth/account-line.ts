/** Strangers who wait for one account, in all and from one network. */
const waitingAtMost = 200
const waitingFromNetwork = 8

interface Waiter {
  network: string
  go: () => void
}

/** Accounts that a stranger is served at right now, with the network that is served and those who wait. */
const lines = new Map<string, { served: string; waiting: Waiter[] }>()

/**
 * Waits until no other stranger is served at this account by this process, the networks in turn; null when too many
 * wait, or when it takes longer than `patience` milliseconds. What it answers ends the turn.
 */
export async function enterLine(account: string, network: string, patience: number): Promise<(() => void) | null> {
  const line = lines.get(account)
  const leave = () => leaveLine(account)
  if (!line) {
    lines.set(account, { served: network, waiting: [] })
    return leave
  }
  const { waiting } = line
  if (waiting.length >= waitingAtMost || waiting.filter((each) => each.network === network).length >= waitingFromNetwork)
    return null
  const served = await new Promise<boolean>((resolve) => {
    const waiter = {
      network,
      go: () => {
        clearTimeout(timer)
        resolve(true)
      },
    }
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(waiter), 1)
      resolve(false)
    }, patience)
    waiting.push(waiter)
  })
  return served ? leave : null
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
