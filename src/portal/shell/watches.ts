import { watchNoteMarks } from '#portal/drawer/note-marks.ts'
import { watchMarks } from '#portal/list/gone-marks.ts'
import { watchReturns } from '#portal/record/return.ts'
import { watchRights } from '#portal/records/rights-watch.ts'
import { watchRecent } from '#portal/records/still-open.ts'
import { watchCounts } from '#portal/shell/count-places.ts'

/** Begins what the first list does without: what follows rights, places and notes while somebody works. Returns what stops it. */
export function watchAll(): () => void {
  const stops = [watchReturns(), watchRecent(), watchCounts(), watchRights(), watchNoteMarks(), watchMarks()]
  return () => {
    for (const stop of stops) stop()
  }
}
