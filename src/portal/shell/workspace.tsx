import { useAtomValue } from 'jotai'
import { useEffect, useLayoutEffect, useState } from 'react'
import { loadDetail } from '#portal/record/later.ts'
import { watchReturns } from '#portal/record/return.ts'
import { loadOverlays, Overlays } from '#portal/shell/overlays.tsx'
import { LastResort } from '#portal/shell/last-resort.tsx'
import { Place } from '#portal/shell/place.tsx'
import { Rail } from '#portal/shell/rail.tsx'
import { StatusBar } from '#portal/shell/status-bar.tsx'
import { TopBar } from '#portal/shell/top-bar.tsx'
import { untilThere } from '#portal/platform/deferred.ts'
import { everything } from '#portal/platform/bundle.ts'
import { focusWork, watchFocus } from '#portal/keyboard/focus.ts'
import { blockKeysWhile, stillWanted } from '#portal/keyboard/hold.ts'
import { pressAgain, takeEarly } from '#portal/hotkeys/key-queue.ts'
import { watchKeys } from '#portal/hotkeys/keys.ts'
import { locationAtom, searchParams } from '#portal/platform/location.ts'
import { watchMe } from '#portal/session/me.ts'
import { loadPanes } from '#portal/list/panes.ts'
import { takeKept } from '#portal/shell/reload.ts'
import { coreParts } from '#portal/shell/core-parts.ts'
import { goBackTo } from '#portal/shell/reload-place.ts'
import { watchVersion } from '#portal/session/outdated.ts'
import { watchOwnKeys } from '#portal/commands/own-keys.ts'
import { paletteAtom } from '#portal/commands/palette-state.ts'
import { store } from '#portal/platform/store.ts'
import { whenIdle } from '#portal/platform/when-idle.ts'

/**
 * Loads what the first list does not need once that list has had time to be drawn, and starts the work in the background. True
 * when the overlays have loaded.
 */
function useEverything(): boolean {
  const [loaded, setLoaded] = useState(false)
  useEffect(() => {
    let left = false
    let stop = (): void => {}
    const load = () => {
      void untilThere(coreParts).then(({ startWatches }) => {
        if (!left) stop = startWatches()
      })
      void untilThere(loadOverlays).then(() => setLoaded(true))
      void untilThere(everything)
        .then(loadPanes)
        .then(loadDetail)
        .catch(() => {})
    }
    const timer = setTimeout(() => whenIdle(load, 1500), 150)
    return () => {
      clearTimeout(timer)
      left = true
      stop()
    }
  }, [])
  return loaded
}

/** The frame: top bar, rail, main area, status bar, and the overlays above them. */
export function Workspace() {
  const loaded = useEverything()
  const { pathname = '/' } = useAtomValue(locationAtom)
  // A layout effect, so that keys and the Back button work as soon as the page is rendered.
  useLayoutEffect(() => {
    const stops = [watchOwnKeys(), watchFocus(), watchKeys(), watchReturns()]
    takeEarly()
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  useEffect(() => {
    const kept = takeKept()
    if (kept) {
      // What a form waited for has no answer on this page.
      if (kept.palette.open && kept.palette.pages.at(-1)?.kind !== 'coming') store.set(paletteAtom, kept.palette)
      const placed = blockKeysWhile(goBackTo(kept))
      const wanted = stillWanted()
      void Promise.all([placed, untilThere(everything)]).then(() => wanted() && pressAgain(kept.keys))
    }
    const stops = [watchMe(), watchVersion()]
    if (searchParams().has('command')) void untilThere(coreParts).then(({ openFromLink }) => openFromLink())
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
        <StatusBar more={loaded} />
      </div>
      <Overlays more={loaded} />
    </>
  )
}
