import { useAtomValue } from 'jotai'
import { lazy, Suspense } from 'react'
import { needsTarget } from '#kernel/command.ts'
import { PaletteDialog } from '#portal/palette/palette-dialog.tsx'
import { RootPage } from '#portal/palette/root-page.tsx'
import { TargetPage } from '#portal/palette/target-page.tsx'
import { type Page, paletteAtom } from '#portal/state/palette.ts'
import { commandById } from '#portal/state/registry.ts'

const FormPage = lazy(() => import('#portal/form/form-page.tsx'))
const RunPage = lazy(() => import('#portal/form/run-page.tsx'))
const HistoryPage = lazy(() => import('#portal/form/history-page.tsx'))

/** The palette, while it is open: a dialog with the page on top. */
export default function Palette() {
  const { open, pages } = useAtomValue(paletteAtom)
  const page = pages.at(-1)
  if (!open || !page) return null
  return (
    <PaletteDialog label={nameOf(page)}>
      <Suspense fallback={<div className="h-12" />}>
        <PageOf key={pages.length} page={page} />
      </Suspense>
    </PaletteDialog>
  )
}

function PageOf({ page }: { page: Page }) {
  const command = 'command' in page ? commandById(page.command) : undefined
  switch (page.kind) {
    case 'root':
      return <RootPage />
    case 'target':
      return command && needsTarget(command) ? <TargetPage command={command} params={page.params} /> : <RootPage />
    case 'form':
      return <FormPage page={page} />
    case 'run':
      return <RunPage page={page} />
    case 'history':
      return <HistoryPage />
  }
}

function nameOf(page: Page): string {
  if (page.kind === 'history') return 'History'
  const command = 'command' in page ? commandById(page.command) : undefined
  return command?.title ?? 'Command palette'
}
