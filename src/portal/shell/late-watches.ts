import { watchUndoKey } from '#portal/commands/history.ts'
import { resumePending } from '#portal/commands/pending-resume.ts'
import { tellBrokenOff } from '#portal/commands/run-views.ts'
import { watchNoteMarks } from '#portal/drawer/note-marks.ts'
import { watchSums } from '#portal/list/sums.ts'
import { keepFresh } from '#portal/records/freshness.ts'
import { watchRecent } from '#portal/records/still-open.ts'
import { watchIdle } from '#portal/session/idle.ts'
import { watchCounts } from '#portal/shell/count-places.ts'
import { watching } from '#portal/shell/watches.ts'

/** Asks also for what another tab left behind when it was closed: what touches the same waits for that. */
const watchPending = () => keepFresh(() => void resumePending())

/**
 * Begins what may come last: what follows notes, counts, what was opened lately, what Ctrl+Z is about, and whether anybody is there; and asks what became of
 * changes that were sent before the page was loaded. Returns what stops the watches.
 */
export function watchRest(): () => void {
  // The rest of a run is reported after its calls that were in flight, each of which has its own toast.
  void resumePending().then(tellBrokenOff)
  return watching(watchIdle, watchRecent, watchCounts, watchNoteMarks, watchPending, watchSums, watchUndoKey)
}
