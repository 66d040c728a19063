import { useAtomValue } from 'jotai'
import { needsTarget } from '#kernel/command.ts'
import FormPage from '#portal/form/form-page.tsx'
import HistoryPage from '#portal/form/history-page.tsx'
import RunPage from '#portal/form/run-page.tsx'
import { PaletteDialog } from '#portal/palette/palette-dialog.tsx'
import { RootPage } from '#portal/palette/root-page.tsx'
import { TargetPage } from '#portal/palette/target-page.tsx'
import { type Page, paletteAtom } from '#portal/state/palette.ts'
import { commandById } from '#portal/state/registry.ts'

/** The palette, while it is open: a dialog with the page on top. */
export default function Palette() {
  const { open, pages } = useAtomValue(paletteAtom)
  const page = pages.at(-1)
  if (!open || !page) return null
  return (
    <PaletteDialog label={nameOf(page)}>
      <PageOf key={pages.length} page={page} />
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
