import { onlineAtom } from '#portal/api/online.ts'
import { store } from '#portal/platform/store.ts'
import { ownChangeAtom } from '#portal/records/freshness.ts'

interface RefreshOptions {
  /** Milliseconds from an answer to the next read. */
  every: number
  /** Reads once; `first` until one read succeeded. Throws the refusal. */
  read: (how: { first: boolean; signal: AbortSignal }) => Promise<void>
  /** False while the page is hidden or offline: refreshing then pauses until `now` or `resume`. */
  wanted: () => boolean
  /** Called once when refreshing has stopped, which it does until `now` is called. */
  failed: (error: unknown) => void
}

/**
 * Polls, one read at a time (API-136). An error stops it (API-138). `now` reads at once and continues from there; `resume` does
 * so only if it was paused.
 */
export function refreshing({ every, read, wanted, failed }: RefreshOptions) {
  const control = new AbortController()
  const { signal } = control
  let timer: ReturnType<typeof setTimeout> | undefined
  let state: 'waiting' | 'reading' | 'paused' | 'stopped' = 'paused'
  let first = true
  let again = false

  const next = () => {
    if (!wanted()) {
      state = 'paused'
      return
    }
    void now()
  }
  const now = async (): Promise<void> => {
    clearTimeout(timer)
    if (state === 'reading') {
      again = true
      return
    }
    state = 'reading'
    again = false
    try {
      await read({ first, signal })
      first = false
      state = 'waiting'
      if (!signal.aborted) timer = setTimeout(next, again ? 0 : every)
    } catch (error) {
      if (signal.aborted) return
      state = 'stopped'
      failed(error)
    }
  }
  return {
    now: (): void => void now(),
    resume: (): void => {
      if (state === 'paused' && wanted()) void now()
    },
    stop: (): void => {
      clearTimeout(timer)
      control.abort()
    },
  }
}

const seen = (): boolean => document.visibilityState === 'visible' && store.get(onlineAtom)

/**
 * Reads at once, polls while the page is visible and online, and reads after every command of this user. `now` reads at once,
 * `stop` ends it.
 */
export function refreshWhileSeen(options: Omit<RefreshOptions, 'wanted'>): { now: () => void; stop: () => void } {
  const { now, resume, stop } = refreshing({ ...options, wanted: seen })
  now()
  document.addEventListener('visibilitychange', resume)
  const ends = [store.sub(onlineAtom, resume), store.sub(ownChangeAtom, now)]
  return {
    now,
    stop: () => {
      stop()
      document.removeEventListener('visibilitychange', resume)
      for (const end of ends) end()
    },
  }
}
