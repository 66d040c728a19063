import { useAtomValue } from 'jotai'
import { useEffect, useLayoutEffect, useState } from 'react'
import { loadDetail } from '#portal/record/later.ts'
import { loadOverlays, Overlays } from '#portal/shell/overlays.tsx'
import { LastResort } from '#portal/shell/last-resort.tsx'
import { Place } from '#portal/shell/place.tsx'
import { Rail } from '#portal/shell/rail.tsx'
import { StatusBar } from '#portal/shell/status-bar.tsx'
import { TopBar } from '#portal/shell/top-bar.tsx'
import { untilThere } from '#portal/platform/deferred.ts'
import { allCommands, everything, withEverything } from '#portal/platform/bundle.ts'
import { focusWork, watchFocus } from '#portal/keyboard/focus.ts'
import { blockKeysWhile, stillWanted } from '#portal/keyboard/hold.ts'
import { pressAgain, takeEarly } from '#portal/hotkeys/key-queue.ts'
import { watchKeys } from '#portal/hotkeys/keys.ts'
import { locationAtom, searchParams } from '#portal/platform/location.ts'
import { watchMe } from '#portal/session/me.ts'
import { loadPanes } from '#portal/list/panes.ts'
import { takeKept } from '#portal/shell/reload.ts'
import { watchVersion } from '#portal/session/outdated.ts'
import { paletteAtom } from '#portal/commands/palette-state.ts'
import { store } from '#portal/platform/store.ts'
import { whenIdle } from '#portal/platform/when-idle.ts'

/** True once the first list has loaded: the overlays load then. */
function useQuiet(): boolean {
  const [quiet, setQuiet] = useState(false)
  useEffect(() => {
    const done = () => {
      void untilThere(loadOverlays).then(() => setQuiet(true))
      void untilThere(everything)
        .then(loadPanes)
        .then(loadDetail)
        .then(allCommands)
        .catch(() => {})
    }
    const timer = setTimeout(() => whenIdle(done, 1500), 150)
    return () => clearTimeout(timer)
  }, [])
  return quiet
}

/** Starts watches that load with the commands. Returns the function that stops them, even before they have loaded. */
function begin(load: () => Promise<() => () => void>): () => void {
  let left = false
  let stop = (): void => {}
  void untilThere(() => withEverything(load())).then((watch) => {
    if (!left) stop = watch()
  })
  return () => {
    left = true
    stop()
  }
}

/** The frame: top bar, rail, main area, status bar, and the overlays above them. */
export function Workspace() {
  const quiet = useQuiet()
  const { pathname = '/' } = useAtomValue(locationAtom)
  // A layout effect, so that keys work as soon as the page is rendered.
  useLayoutEffect(() => {
    const stops = [watchFocus(), watchKeys()]
    takeEarly()
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  useEffect(() => {
    const kept = takeKept()
    if (kept) {
      if (kept.palette.open) store.set(paletteAtom, kept.palette)
      const placed = blockKeysWhile(
        untilThere(() => import('#portal/shell/reload-place.ts')).then((place) => place.goBackTo(kept)),
      )
      const wanted = stillWanted()
      void Promise.all([placed, untilThere(everything)]).then(() => wanted() && pressAgain(kept.keys))
    }
    const stops = [
      watchMe(),
      watchVersion(),
      begin(async () => (await import('#portal/shell/watches.ts')).watchAll),
      begin(() => everything().then(async () => (await import('#portal/shell/late-watches.ts')).watchRest)),
      // Part of the chunk of everything: loading it separately would fetch, and fail, twice.
      begin(() => everything().then(async () => (await import('#portal/shell/last-watches.ts')).watchLast)),
    ]
    if (searchParams().has('command'))
      void untilThere(() => withEverything(import('#portal/commands/links.ts'))).then((link) => link.openFromLink())
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  return (
    <>
      <div className="frame">
        <button type="button" className="btn skip" onClick={focusWork}>
          Skip to the list
        </button>
        <TopBar />
        <Rail />
        <main className="frame-work" data-region="work" tabIndex={-1}>
          <LastResort about={pathname}>
            <Place />
          </LastResort>
        </main>
        <StatusBar />
      </div>
      <Overlays more={quiet} />
    </>
  )
}
