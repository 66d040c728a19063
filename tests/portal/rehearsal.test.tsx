import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { permissionIds } from '#domain/permissions.ts'
import { openPalette, paletteAtom } from '#portal/commands/palette-state.ts'
import { Palette } from '#portal/palette/palette.tsx'
import { rehearsed } from '#portal/palette/use-rehearsal.ts'
import { meAtom } from '#portal/api/session.ts'
import { register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { upsertRecords } from '#portal/records/entity-store.ts'
import { withList } from '#entities/with-list.ts'
import { showAlone } from '#tests/portal/alone.tsx'
import { everyCommand } from '#tests/portal/typing.ts'
import { employeeLike } from '#tests/support/examples.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the closed palette draws what is often typed first, searches for nothing, and opens empty', async () => {
  const idle: (() => void)[] = []
  vi.stubGlobal('requestIdleCallback', (work: (deadline: { timeRemaining: () => number }) => void) =>
    idle.push(() => work({ timeRemaining: () => 50 })),
  )
  vi.stubGlobal('cancelIdleCallback', (id: number) => idle.splice(id - 1, 1, () => {}))
  const asked: string[] = []
  vi.stubGlobal('fetch', async (input: Request | string) => {
    asked.push(new URL(typeof input === 'string' ? input : input.url, location.href).search)
    return Response.json({ type: 'about:blank', title: 'Not found', status: 404, code: 'not-found' }, { status: 404 })
  })
  register({ commands: everyCommand, entities: withList })
  store.set(meAtom, {
    person: { id: '1', name: 'Ann Smith', email: 'ann@example.com', kind: 'ADMIN' },
    ...{
      groups: [],
      grants: null,
      permissions: permissionIds.map((id) => ({ id })),
      session: { idle_seconds: 900, warning_seconds: 120 },
    },
  } as never)
  upsertRecords('employee', [employeeLike(100467, 'Sadia', 'Barnes')])
  showAlone(<Palette />)
  const field = screen.getByLabelText<HTMLInputElement>('Command palette', { selector: 'input' })
  const drawn: string[] = []
  let isOpened = false
  for (let at = 0; at < idle.length; at++) {
    await act(async () => idle[at]?.())
    if (field.value && field.value !== drawn.at(-1)) drawn.push(field.value)
    // In the middle of it the palette is opened: empty, and with no text that nobody typed.
    if (drawn.length === 3 && !isOpened) {
      isOpened = true
      act(() => openPalette())
      expect(field.value).toBe('')
      expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true)
      act(() => store.set(paletteAtom, { ...store.get(paletteAtom), open: false }))
    }
  }
  expect([...new Set(drawn)]).toEqual(rehearsed)
  expect(field.value).toBe('')
  expect(asked.filter((search) => /[?&](q|ids?)=/.test(search))).toEqual([])
})
