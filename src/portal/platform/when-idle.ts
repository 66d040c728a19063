/** Where the browser does not tell when it has time: milliseconds until work begins, and for how long it may go on. */
const soon = 20
const piece = 8

/**
 * Does work when the browser has time, after `within` milliseconds at the latest where that is given. The work is told how
 * many milliseconds are left of that time. Safari has no idle callbacks: there it is done a moment later. Returns what
 * stops it.
 */
export function whenIdle(work: (left: () => number) => void, within?: number): () => void {
  if (typeof requestIdleCallback === 'function') {
    const idle = requestIdleCallback(
      (deadline) => work(() => deadline.timeRemaining()),
      within === undefined ? undefined : { timeout: within },
    )
    return () => cancelIdleCallback(idle)
  }
  const timer = setTimeout(() => {
    const end = performance.now() + piece
    work(() => end - performance.now())
  }, soon)
  return () => clearTimeout(timer)
}
