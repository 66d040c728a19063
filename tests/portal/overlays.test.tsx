import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { host } from '#portal/commands/host.ts'
import { watchKeys } from '#portal/hotkeys/keys.ts'
import { provideEverything } from '#portal/platform/bundle.ts'
import { navigate, locationAtom } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'
import { openPalette, paletteAtom } from '#portal/commands/palette-state.ts'
import { provideCoreParts } from '#portal/shell/core-parts.ts'
import { Palette } from '#portal/palette/palette.tsx'
import { Overlays } from '#portal/shell/overlays.tsx'
import { showAlone } from '#tests/portal/alone.tsx'

afterEach(cleanup)

const arrives = Promise.withResolvers<void>()
provideEverything(() => arrives.promise)
provideCoreParts({ Palette, startWatches: () => () => {}, openFromLink: () => {} })

test('the Back button of the browser closes overlays of the record that is left', async () => {
  showAlone(<Overlays more={false} />)
  const stop = store.sub(locationAtom, () => {})
  navigate('/employees/104234')
  openPalette({ kind: 'history' })
  await screen.findByRole('dialog')
  // The portal's own change of the address is not a step back.
  navigate('/employees/104234?tab=history')
  expect(store.get(paletteAtom).open).toBe(true)
  history.back()
  dispatchEvent(new PopStateEvent('popstate'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  stop()
})

test('a palette opened before it has loaded returns the focus when it closes', async () => {
  const press = (what: 'veil' | 'Escape') => {
    const veil = document.querySelector('.veil')
    if (what === 'veil' && veil) fireEvent.mouseDown(veil)
    else fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
  }
  showAlone(
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: the focus target is found by this role */}
      <div role="grid" tabIndex={-1} aria-label="The work" />
      <Overlays more={false} />
    </>,
  )
  // At first the palette itself has not loaded, and a placeholder takes the input.
  for (const [round, what] of (['veil', 'veil', 'Escape'] as const).entries()) {
    screen.getByRole('grid').focus()
    openPalette()
    if (round === 0) expect(await screen.findByRole('textbox')).toBe(document.activeElement)
    else await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox')))
    press(what)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(screen.getByRole('grid'))
    arrives.resolve()
  }
})

test('Ctrl+K on a palette page without a form goes to the root page, also while that loads', async () => {
  showAlone(<Overlays more={false} />)
  const stop = watchKeys()
  const again = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'k', code: 'KeyK', ctrlKey: true })
  openPalette({ kind: 'history' })
  await screen.findByRole('dialog', { name: 'Session activity' })
  again()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox')))
  again()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  host.showRun('of-before')
  again()
  await waitFor(() => expect(store.get(paletteAtom).pages).toEqual([{ kind: 'root' }]))
  stop()
})
