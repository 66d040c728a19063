import { store } from '#portal/platform/store.ts'
import { announce, toastsAtom } from '#portal/platform/toasts.ts'
import { watchMarks } from '#portal/list/gone-marks.ts'
import { watchReturns } from '#portal/record/return.ts'
import { watchRights } from '#portal/shell/rights-watch.ts'
import { meAtom } from '#portal/api/session.ts'

/** Begins several watches as one. Returns what stops them. */
export function watching(...watches: readonly (() => () => void)[]): () => void {
  const stops = watches.map((watch) => watch())
  return () => {
    for (const stop of stops) stop()
  }
}

/** What was said names people and amounts: with the session that ends it goes from the screen and from what a screen reader finds (D120). */
export const watchSaid = (): (() => void) =>
  store.sub(meAtom, () => {
    if (store.get(meAtom)) return
    store.set(toastsAtom, [])
    announce('')
  })

/** Begins what comes with the commands: what follows rights, places, marks and the end of the session while somebody works. Returns what stops it. */
export const watchAll = (): (() => void) => watching(watchReturns, watchRights, watchMarks, watchSaid)
