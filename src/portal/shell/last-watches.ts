import { keepPlace } from '#portal/shell/reload.ts'
import { store } from '#portal/platform/store.ts'
import { reopenForm } from '#portal/commands/reopen-form.ts'
import { watchSavedViews } from '#portal/commands/saved-views.ts'
import { resumeRuns } from '#portal/commands/server-runs.ts'
import { tellUnsent } from '#portal/commands/unsent.ts'
import { watchPrint } from '#portal/list/print-sheet.ts'
import { paletteAtom } from '#portal/commands/palette-state.ts'
import { watching } from '#portal/shell/watches.ts'

/** A page that a person loads anew is at the same row of its list. */
function watchPlace(): () => void {
  const leave = () => keepPlace({ ...store.get(paletteAtom), open: false })
  addEventListener('pagehide', leave)
  return () => removeEventListener('pagehide', leave)
}

/**
 * Begins what is small and comes last: follows prints, the views that somebody saves and the runs that go on, opens a form again
 * that was open when the page was loaded anew, and tells what was not sent since the session had ended. Returns what stops it.
 */
export function watchLast(): () => void {
  void resumeRuns()
  void tellUnsent()
  reopenForm()
  return watching(watchPrint, watchSavedViews, watchPlace)
}
