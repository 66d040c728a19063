import { untilThere } from '#portal/platform/deferred.ts'
import { store } from '#portal/platform/store.ts'
import { announce, toastsAtom } from '#portal/platform/toasts.ts'
import { meAtom } from '#portal/api/session.ts'
import { keepFresh } from '#portal/records/freshness.ts'
import { watchHiddenMarks } from '#portal/list/hidden-marks.ts'
import { watchMarks } from '#portal/list/gone-marks.ts'
import { watchSums } from '#portal/list/sums.ts'
import { watchUndoKey } from '#portal/commands/history.ts'
import { paletteAtom } from '#portal/commands/palette-state.ts'
import { watchFavourites } from '#portal/commands/favourites.ts'
import { reopenForm, reportInterrupted } from '#portal/commands/outbox/interruptions.ts'
import { resumeCalls } from '#portal/commands/outbox/resume.ts'
import { watchPlaces } from '#portal/commands/places.ts'
import { tellBrokenOff } from '#portal/commands/run-views.ts'
import { watchTour } from '#portal/commands/tour.ts'
import { watchNoteMarks } from '#portal/drawer/note-marks.ts'
import { watchRecent } from '#portal/palette/still-open.ts'
import { watchIdle } from '#portal/session/idle.ts'
import { watchCounts } from '#portal/shell/count-places.ts'
import { keepPlace } from '#portal/shell/reload.ts'
import { watchRights } from '#portal/shell/rights-watch.ts'

/**
 * Messages name people and amounts: at the end of the session they are removed from the screen and from the live regions.
 */
export const watchSaid = (): (() => void) =>
  store.sub(meAtom, () => {
    if (store.get(meAtom)) return
    store.set(toastsAtom, [])
    announce('')
  })

/** Retries calls left behind by a tab that was closed, which block conflicting changes. */
const watchPending = () => keepFresh(() => void resumeCalls())

/** Restores the row of the list after a reload by the user. */
function watchPlace(): () => void {
  const leave = () => keepPlace({ ...store.get(paletteAtom), open: false })
  addEventListener('pagehide', leave)
  return () => removeEventListener('pagehide', leave)
}

/** A watch in a file of its own, which starts once that has loaded. */
const afterwards = (load: () => Promise<() => () => void>) => (): (() => void) => {
  let stop: (() => void) | null = null
  let isOver = false
  void untilThere(load).then((watch) => {
    if (!isOver) stop = watch()
  })
  return () => {
    isOver = true
    stop?.()
  }
}

const watchViews = afterwards(async () => (await import('#portal/commands/saved-views.ts')).watchSavedViews)
const watchPrint = afterwards(async () => (await import('#portal/list/print-sheet.ts')).watchPrint)
/** Continues the runs that were under way when the page was left. */
const continueRuns = afterwards(async () => {
  const { resumeRuns } = await import('#portal/commands/server-runs.ts')
  return () => {
    void resumeRuns()
    return () => {}
  }
})

const watches = [
  ...[watchRights, watchMarks, watchHiddenMarks, watchSaid, watchIdle, watchRecent, watchCounts, watchNoteMarks],
  ...[watchPending, watchSums, watchUndoKey, watchPrint, watchViews, watchPlace, watchPlaces],
  ...[watchFavourites, watchTour, continueRuns],
]

/**
 * Starts the work in the background. Then looks up the calls, runs and changes that were left unfinished before the page was
 * loaded, and reopens a form that was open. Returns the function that stops the watches.
 */
export function startWatches(): () => void {
  const stops = watches.map((watch) => watch())
  // The rest of a run is reported after its calls that were in flight, each of which has its own toast.
  void resumeCalls().then(tellBrokenOff)
  void reportInterrupted()
  reopenForm()
  return () => {
    for (const stop of stops) stop()
  }
}
