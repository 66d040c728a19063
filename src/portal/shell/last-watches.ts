import { keepPlace } from '#portal/shell/reload.ts'
import { store } from '#portal/platform/store.ts'
import { reopenForm } from '#portal/commands/reopen-form.ts'
import { watchSavedViews } from '#portal/commands/saved-views.ts'
import { resumeRuns } from '#portal/commands/server-runs.ts'
import { tellUnsent } from '#portal/commands/unsent.ts'
import { watchPrint } from '#portal/list/print-sheet.ts'
import { paletteAtom } from '#portal/commands/palette-state.ts'
import { watching } from '#portal/shell/watches.ts'

/** Restores the row of the list after a reload by the user. */
function watchPlace(): () => void {
  const leave = () => keepPlace({ ...store.get(paletteAtom), open: false })
  addEventListener('pagehide', leave)
  return () => removeEventListener('pagehide', leave)
}

/**
 * Starts small background work last: prints, saved views and running runs are followed, a form that was open before a reload is
 * opened again, and changes that were not sent because the session had ended are reported. Returns the function that stops it.
 */
export function watchLast(): () => void {
  void resumeRuns()
  void tellUnsent()
  reopenForm()
  return watching(watchPrint, watchSavedViews, watchPlace)
}
