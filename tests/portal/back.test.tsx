import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { go, locationAtom } from '#portal/app/location.ts'
import { store } from '#portal/app/store.ts'
import { openPalette, paletteAtom } from '#portal/palette/state.ts'
import { Overlays } from '#portal/shell/overlays.tsx'
import { showAlone } from '#tests/portal/alone.tsx'

afterEach(cleanup)

test('back in the browser takes away what floats over the record that is left', async () => {
  showAlone(<Overlays more={false} />)
  const stop = store.sub(locationAtom, () => {})
  go('/employees/104234')
  openPalette({ kind: 'history' })
  await screen.findByRole('dialog')
  // What the portal itself writes into the address is no step back.
  go('/employees/104234?tab=history')
  expect(store.get(paletteAtom).open).toBe(true)
  history.back()
  dispatchEvent(new PopStateEvent('popstate'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  stop()
})
