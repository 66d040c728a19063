import { useAtomValue } from 'jotai'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { needsTarget } from '#kernel/command.ts'
import { FavouritesPage, HistoryPage, loadDeferred, PastedPage, PlacesPage, RunPage } from '#portal/form/deferred.tsx'
import { LoadingForm, PageHead } from '#portal/form/page-lines.tsx'
import FormPage from '#portal/form/palette/form-page.tsx'
import { PaletteDialog } from '#portal/palette/palette-dialog.tsx'
import { RootPage } from '#portal/palette/root-page.tsx'
import { fetchSentences } from '#portal/palette/sentences.ts'
import { loadStart } from '#portal/palette/start.ts'
import { TargetPage } from '#portal/palette/target-page.tsx'
import { type Page, type PaletteState, tellDrawn } from '#portal/commands/palette-state.ts'
import { usePalette } from '#portal/commands/use-palette.ts'
import { commandById, commands } from '#portal/platform/registry.ts'
import { rightsChangesAtom } from '#portal/records/rights-changes.ts'
import { whenIdle } from '#portal/platform/when-idle.ts'

/** Milliseconds until the empty palette is prepared at the latest. */
const idleWithin = 1_500

/**
 * The palette: a dialog with the top page. While closed its list stays rendered but hidden, so that opening it shows the list at
 * once; it is prepared for the next time after the frame in which it closed.
 */
export function Palette() {
  const now = usePalette()
  const page = topOf(now)
  const shown = useDrawn(now)
  useLayoutEffect(() => tellDrawn(now), [now])
  useEffect(
    () =>
      whenIdle(() => {
        loadDeferred()
        void fetchSentences()
      }),
    [],
  )
  // Examples are made of records that the person may see.
  const rights = useAtomValue(rightsChangesAtom)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rights, other examples
  useEffect(() => whenIdle(() => void loadStart(commands()), idleWithin), [rights])
  return (
    <PaletteDialog open={now.open} label={nameOf(page)}>
      {isRoot(topOf(shown)) ? (
        <RootPage key="root" state={shown} live={now.open} />
      ) : (
        now.open && <PageOf key={now.pages.length} page={page} />
      )}
    </PaletteDialog>
  )
}

/** The state to render: the current one while open; after closing the last one, until it is prepared when idle. */
function useDrawn(now: PaletteState): PaletteState {
  const drawn = useRef(now)
  const [, drawAgain] = useState(now)
  if (now.open) drawn.current = now
  useEffect(() => {
    if (now.open) return
    return whenIdle(() => {
      drawn.current = now
      drawAgain(now)
    })
  }, [now])
  return drawn.current
}

const topOf = ({ pages }: PaletteState): Page => pages.at(-1) ?? { kind: 'root' }

/** A page for the target of an unknown command falls back to the list. */
function isRoot(page: Page): boolean {
  if (page.kind !== 'target') return page.kind === 'root'
  const command = commandById(page.command)
  return !command || !needsTarget(command)
}

function PageOf({ page }: { page: Page }) {
  const id = 'command' in page ? page.command : ''
  const command = commandById(id)
  switch (page.kind) {
    case 'target':
      return command && needsTarget(command) && <TargetPage command={command} params={page.params} />
    case 'form':
      return <FormPage page={page} />
    case 'coming':
      return (
        <>
          <PageHead chip={null} title={page.title} />
          <LoadingForm what="Checking its state" />
        </>
      )
    case 'run':
      return <RunPage key={page.run} page={page} />
    case 'history':
      return <HistoryPage />
    case 'places':
      return <PlacesPage />
    case 'favourites':
      return <FavouritesPage />
    case 'pasted':
      return <PastedPage text={page.text} />
    default:
      return null
  }
}

function nameOf(page: Page): string {
  if (page.kind === 'history') return 'Session activity'
  if (page.kind === 'places') return 'Recent places'
  if (page.kind === 'favourites') return 'Favourites'
  if (page.kind === 'coming') return page.title
  if (page.kind === 'run') return 'Run'
  if (page.kind === 'pasted') return 'Pasted ids'
  const command = 'command' in page ? commandById(page.command) : undefined
  return command?.title ?? 'Command palette'
}
