import { store } from '#portal/platform/store.ts'
import { announce, toastsAtom } from '#portal/platform/toasts.ts'
import { watchMarks } from '#portal/list/gone-marks.ts'
import { watchReturns } from '#portal/record/return.ts'
import { watchRights } from '#portal/shell/rights-watch.ts'
import { meAtom } from '#portal/api/session.ts'

/** Combines several watches. Returns the function that stops them. */
export function watching(...watches: readonly (() => () => void)[]): () => void {
  const stops = watches.map((watch) => watch())
  return () => {
    for (const stop of stops) stop()
  }
}

/**
 * Messages name people and amounts: at the end of the session they are removed from the screen and from the live regions (D120).
 */
export const watchSaid = (): (() => void) =>
  store.sub(meAtom, () => {
    if (store.get(meAtom)) return
    store.set(toastsAtom, [])
    announce('')
  })

/**
 * Starts the watches that load with the commands: rights, focus after back and forward, marks, and the end of the session.
 * Returns the function that stops them.
 */
export const watchAll = (): (() => void) => watching(watchReturns, watchRights, watchMarks, watchSaid)
