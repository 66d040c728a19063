import { watchUndoKey } from '#portal/commands/history.ts'
import { resumePending } from '#portal/commands/pending-resume.ts'
import { tellBrokenOff } from '#portal/commands/run-views.ts'
import { watchNoteMarks } from '#portal/drawer/note-marks.ts'
import { watchSums } from '#portal/list/sums.ts'
import { keepFresh } from '#portal/records/freshness.ts'
import { watchRecent } from '#portal/palette/still-open.ts'
import { watchIdle } from '#portal/session/idle.ts'
import { watchCounts } from '#portal/shell/count-places.ts'
import { watching } from '#portal/shell/watches.ts'

/** Also retries calls left behind by a tab that was closed, which block conflicting changes. */
const watchPending = () => keepFresh(() => void resumePending())

/**
 * Starts watches that are not urgent: notes, counts, recently opened records, the target of Ctrl+Z, and inactivity; and looks up
 * calls sent before the page was loaded. Returns the function that stops the watches.
 */
export function watchRest(): () => void {
  // The rest of a run is reported after its calls that were in flight, each of which has its own toast.
  void resumePending().then(tellBrokenOff)
  return watching(watchIdle, watchRecent, watchCounts, watchNoteMarks, watchPending, watchSums, watchUndoKey)
}
