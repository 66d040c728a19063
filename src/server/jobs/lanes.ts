/** A queue of work by id. */
export interface Lanes {
  /** Queues work, unless it is queued or running already. */
  add: (id: string) => void
  /** Starts nothing more, and waits for running work. */
  drain: () => Promise<void>
}

/** Runs work in order, at most `places` at once; a failure is reported and stops nothing. */
export function lanes(places: number, work: (id: string) => Promise<unknown>, report: (error: unknown) => void): Lanes {
  const waiting = new Set<string>()
  const underWay = new Map<string, Promise<void>>()
  let draining = false
  const next = (): void => {
    for (const id of waiting) {
      if (draining || underWay.size >= places) return
      waiting.delete(id)
      underWay.set(id, once(id))
    }
  }
  const once = async (id: string): Promise<void> => {
    try {
      await Promise.resolve(id).then(work)
    } catch (error) {
      report(error)
    } finally {
      underWay.delete(id)
      next()
    }
  }
  return {
    add: (id) => {
      if (underWay.has(id)) return
      waiting.add(id)
      next()
    },
    drain: async () => {
      draining = true
      await Promise.all(underWay.values())
    },
  }
}
