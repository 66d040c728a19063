import { watchMarks } from '#portal/list/gone-marks.ts'
import { watchReturns } from '#portal/record/return.ts'
import { watchRights } from '#portal/records/rights-watch.ts'

/** Begins several watches as one. Returns what stops them. */
export function watching(...watches: readonly (() => () => void)[]): () => void {
  const stops = watches.map((watch) => watch())
  return () => {
    for (const stop of stops) stop()
  }
}

/** Begins what comes with the commands: what follows rights, places and marks while somebody works. Returns what stops it. */
export const watchAll = (): (() => void) => watching(watchReturns, watchRights, watchMarks)
