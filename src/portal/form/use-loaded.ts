import { type DependencyList, useEffect, useState } from 'react'

export type Loaded<T> = { state: 'loading' } | { state: 'there'; value: T } | { state: 'failed'; again: () => void }

/** Loads data while a component is mounted; an earlier request is aborted and its answer dropped. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, on: DependencyList): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' })
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller passes the dependencies
  useEffect(() => {
    const asking = new AbortController()
    setLoaded({ state: 'loading' })
    load(asking.signal).then(
      (value) => {
        if (!asking.signal.aborted) setLoaded({ state: 'there', value })
      },
      () => {
        if (!asking.signal.aborted) setLoaded({ state: 'failed', again: () => setAttempt((now) => now + 1) })
      },
    )
    return () => asking.abort()
  }, [...on, attempt])
  return loaded
}
