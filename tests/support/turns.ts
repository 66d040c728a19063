/**
 * The largest share of a work's processor time that one turn of the event loop took, 0 to 1: what blocks nobody is spread over
 * many turns. Processor time, because a busy machine stretches every duration, and a share, because machines differ in speed.
 */
export async function largestTurn(work: () => Promise<unknown>): Promise<number> {
  const cpu = () => {
    const { user, system } = process.threadCpuUsage()
    return user + system
  }
  const start = cpu()
  let last = start
  let largest = 0
  const look = () => {
    const now = cpu()
    largest = Math.max(largest, now - last)
    last = now
  }
  const timer = setInterval(look, 2)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  look()
  return largest / (last - start)
}
