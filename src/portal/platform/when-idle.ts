/** For browsers without idle callbacks: milliseconds until work starts, and how long it may run. */
const soon = 20
const piece = 8

/**
 * Runs work when the browser is idle, at the latest after `within` milliseconds if given. The work is called with a function for
 * the milliseconds left of the idle period. Safari has no idle callbacks: there it runs a moment later. Returns the function that
 * cancels it.
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
