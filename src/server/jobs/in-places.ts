/**
 * Limits concurrency to `places`; further work waits in order. Work whose caller is gone leaves the queue and is rejected with
 * `left`.
 */
export function inPlaces(places: number, left: () => Error) {
  let taken = 0
  const waiting = new Set<() => void>()

  const turn = (gone: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const go = () => {
        gone?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.delete(go)
        reject(left())
      }
      gone?.addEventListener('abort', leave, { once: true })
      waiting.add(go)
    })

  return async <T>(gone: AbortSignal | undefined, work: () => Promise<T>): Promise<T> => {
    if (gone?.aborted) throw left()
    if (taken < places) taken += 1
    else await turn(gone)
    try {
      return await work()
    } finally {
      const [next] = waiting
      // The place passes to the next waiter without becoming free in between.
      if (next) {
        waiting.delete(next)
        next()
      } else taken -= 1
    }
  }
}
