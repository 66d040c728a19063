import { cleanup, render, screen } from '@testing-library/react'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import pause from '#commands/employee/pause.ts'
import keys from '#commands/view/keys.ts'
import type { Me } from '#contract/session.ts'
import { permissionIds } from '#domain/permissions.ts'
import { employee } from '#entities/employee.ts'
import { meAtom } from '#portal/api/session.ts'
import { closePalette, openPalette } from '#portal/commands/palette-state.ts'
import { goToStep, tourAtom, watchTour } from '#portal/commands/tour.ts'
import { lettersAtom, setLetters } from '#portal/keyboard/letters.ts'
import type { Example } from '#portal/palette/examples.ts'
import { register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { spokenAtom } from '#portal/platform/toasts.ts'
import { stepsOf } from '#portal/shell/tour/steps.ts'
import { Tour } from '#portal/shell/tour/tour.tsx'
import { employeeLike } from '#tests/support/examples.ts'

const me = (id: string) =>
  ({ person: { id, name: 'Priya Raman' }, permissions: permissionIds.map((each) => ({ id: each })) }) as unknown as Me
const sadia: Example = { entity: employee, record: employeeLike(100467, 'Sadia', 'Barnes'), command: pause, rights: 0 }

beforeEach(() => {
  register({ commands: [pause, keys], entities: [employee], ownKeys: {} })
  store.set(meAtom, me('priya'))
  setLetters(true)
})
afterEach(() => {
  cleanup()
  goToStep(null)
  closePalette()
})

const names = (example: Example | null) => stepsOf(example).map(({ name }) => name)

describe('the steps', () => {
  test('use a record and a command that the person has', () => {
    expect(names(sadia)).toEqual([
      'Open the palette',
      'Jump to employee 100467',
      'Move between the parts of the page',
      'Open the form of pause',
      'Leave the form',
      'Filter the list',
      'See the keys',
    ])
  })

  test('leave out what somebody may not do, and the record without a readable list', () => {
    expect(names({ ...sadia, command: null })).not.toContain('Leave the form')
    expect(names(null)).toEqual(['Open the palette', 'Leave the palette', 'See the keys'])
  })

  test('need no letter while single-key shortcuts are off', () => {
    setLetters(false)
    expect(store.get(lettersAtom)).toBe(false)
    expect(names(sadia)).toEqual(['Open the palette', 'Jump to employee 100467', 'Move between the parts of the page'])
  })
})

describe('the strip', () => {
  test('goes on when a step is done, and announces the next one with its keys in words', async () => {
    goToStep(0)
    render(<Tour />)
    await screen.findByRole('heading', { name: 'Open the palette' })
    // Announced by an effect, which a busy machine runs after the heading is found.
    const announced = (text: RegExp) => vi.waitFor(() => expect(store.get(spokenAtom).sentence).toMatch(text))
    await announced(/^Step 1 of \d\. Open the palette\. Press (Control|Command) K\./)
    act(() => openPalette())
    await screen.findByRole('heading', { name: 'Leave the palette' })
    await announced(/^Step 2 of \d\. Leave the palette\. Press Escape\./)
  })

  test('continues after a reload, for the same person only', () => {
    goToStep(2)
    store.set(tourAtom, null)
    const stop = watchTour()
    expect(store.get(tourAtom)).toBe(2)
    stop()
    expect(store.get(tourAtom)).toBeNull()
    store.set(meAtom, me('tom'))
    watchTour()
    expect(store.get(tourAtom)).toBeNull()
  })
})
