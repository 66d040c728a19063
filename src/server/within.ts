import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for `work`, but no longer than so many milliseconds; answers whether it was over. Its failure is thrown. */
export async function isOverWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const stopped = new AbortController()
  const { signal } = stopped
  const late = sleep(milliseconds, false, { signal }).catch(() => false)
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    stopped.abort()
  }
}
