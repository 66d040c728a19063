/**
 * Limits concurrency to `places`; further work waits in order. Work whose caller is gone leaves the queue and is rejected with
 * `left`.
 */
export function inPlaces(places: number, rejection: () => Error) {
  let running = 0
  const waiting = new Set<() => void>()

  const turn = (gone: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const resume = () => {
        gone?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.delete(resume)
        reject(rejection())
      }
      gone?.addEventListener('abort', leave, { once: true })
      waiting.add(resume)
    })

  return async <T>(gone: AbortSignal | undefined, work: () => Promise<T>): Promise<T> => {
    if (gone?.aborted) throw rejection()
    if (running < places) running += 1
    else await turn(gone)
    try {
      return await work()
    } finally {
      const [next] = waiting
      // The place passes to the next waiter without becoming free in between.
      if (next) {
        waiting.delete(next)
        next()
      } else running -= 1
    }
  }
}
