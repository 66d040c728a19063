import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { employee } from '#entities/employee.ts'
import { employer } from '#entities/employer.ts'
import { watchKeys } from '#portal/hotkeys/keys.ts'
import { keyAction, moved } from '#portal/palette/palette-keys.ts'
import type { Results, TextRow } from '#portal/palette/row.ts'
import { SearchPage } from '#portal/palette/search-page.tsx'
import { readTyped } from '#kernel/sentence/reading.ts'
import { showAlone, tasksDone } from '#tests/portal/alone.tsx'

const press = (key: string, more: Partial<Parameters<typeof keyAction>[0]> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  keyCode: 0,
  ...more,
})
const now = { mac: false, empty: false, marked: false }

test('with an active input method, no key belongs to the palette', () => {
  for (const key of ['Enter', 'Tab', 'ArrowDown', 'ArrowUp', 'Escape', 'Backspace', 'PageDown']) {
    expect(keyAction(press(key, { isComposing: true }), { ...now, empty: true })).toBeNull()
    expect(keyAction(press(key, { keyCode: 229 }), { ...now, empty: true })).toBeNull()
    expect(keyAction(press(key), { ...now, empty: true })).not.toBeNull()
  }
})

test('Home, End and horizontal arrows move the caret; with Ctrl they go to the ends of the list', () => {
  for (const key of ['Home', 'End', 'ArrowLeft', 'ArrowRight']) expect(keyAction(press(key), now)).toBeNull()
  expect(keyAction(press('Home', { ctrlKey: true }), now)).toEqual({ do: 'first' })
  expect(keyAction(press('End', { ctrlKey: true }), now)).toEqual({ do: 'last' })
})

test('no key of the browser or of Emacs moves the highlight', () => {
  for (const key of ['n', 'p', 'j', 'k', 't', 'w']) expect(keyAction(press(key, { ctrlKey: true }), now)).toBeNull()
})

test('Mod+C copies the link only without a selection, Mod+Enter opens beside or in a new tab', () => {
  expect(keyAction(press('c', { ctrlKey: true }), now)).toEqual({ do: 'copy' })
  expect(keyAction(press('c', { ctrlKey: true }), { ...now, marked: true })).toBeNull()
  expect(keyAction(press('c', { metaKey: true }), { ...now, mac: true })).toEqual({ do: 'copy' })
  expect(keyAction(press('Enter', { ctrlKey: true }), now)).toEqual({ do: 'run', to: 'beside' })
  expect(keyAction(press('Enter'), now)).toEqual({ do: 'run', to: 'here' })
})

test('Backspace goes back only in an empty field', () => {
  expect(keyAction(press('Backspace'), now)).toBeNull()
  expect(keyAction(press('Backspace'), { ...now, empty: true })).toEqual({ do: 'back' })
})

test('a step wraps around, a page stops at the end', () => {
  expect([moved(0, -1, 5), moved(4, 1, 5), moved(-1, 1, 5), moved(-1, -1, 5)]).toEqual([4, 0, 0, 4])
  expect([moved(3, 10, 5), moved(3, -10, 5), moved(20, -10, 50)]).toEqual([4, 0, 10])
  expect(moved(-1, 1, 0)).toBe(-1)
})

const origin = 'https://admin.example.com'
const read = (typed: string) => {
  const { mode, text, ids, only } = readTyped(typed, [employee, employer], origin)
  return { mode, text, ids: ids.map(({ entity, id }) => `${entity.name} ${id}`), only }
}

test('[CARD-007] the text is parsed into mode, text, and possible ids', () => {
  expect(read('  104234 ')).toEqual({ mode: 'all', text: '104234', ids: ['employee 104234', 'employer 104234'], only: null })
  expect(read('>pause')).toEqual({ mode: 'commands', text: 'pause', ids: [], only: null })
  expect(read('#104234').mode).toBe('ids')
  expect(read('@ortiz')).toEqual({ mode: 'people', text: 'ortiz', ids: [], only: null })
  expect(read('/status')).toEqual({ mode: 'filters', text: 'status', ids: [], only: null })
  expect(read('?')).toEqual({ mode: 'help', text: '', ids: [], only: null })
  expect(read('benjamin')).toEqual({ mode: 'all', text: 'benjamin', ids: [], only: null })
})

test('[CARD-007] a link of this portal counts as an id, one of another portal does not', () => {
  const one = { mode: 'all', text: '104234', ids: ['employee 104234'], only: ['employee'] }
  for (const typed of ['/employees/104234', `${origin}/employees/104234?tab=history`, `${origin}/employees/104234/`])
    expect(read(typed)).toEqual(one)
  expect(read('employee 104234')).toEqual(one)
  expect(read('https://staging.example.com/employees/104234').ids).toEqual([])
  expect(read('/employees/../etc').ids).toEqual([])
})

test('keys that move the highlight wait for the rows of a new target, and then apply to those', async () => {
  const rowsOf = (...titles: string[]): Results => {
    const row = (title: string) => ({ kind: 'text', key: title, icon: 'search', title, usable: true, preselects: true, tier: 0 })
    const rows = titles.map((title) => ({ ...row(title), note: null, found: null, text: '>' }) as TextRow)
    return { groups: [{ key: 'all', title: '', note: null, rows }], rows, preselected: 0, sure: true, empty: null }
  }
  const ran = vi.fn()
  const nothing = () => undefined
  const page = (results: Results, coming: boolean) => (
    <div role="dialog" aria-label="Command palette">
      <SearchPage
        label="Search"
        placeholder=""
        typed=""
        searched=""
        results={results}
        coming={coming}
        about={String(coming)}
        waiting={false}
        lead={null}
        foot={() => null}
        onRun={({ title }) => ran(title)}
        onTab={nothing}
        onFavourite={() => {}}
        onCopy={nothing}
        onBack={nothing}
        onHurry={nothing}
      />
    </div>
  )
  const stop = watchKeys()
  const { rerender } = showAlone(page({ ...rowsOf('Open employees', 'Open invoices'), preselected: -1, sure: false }, true))
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) fireEvent.keyDown(screen.getByRole('combobox'), { key })
  await tasksDone()
  expect(ran).not.toHaveBeenCalled()
  rerender(page(rowsOf('Close invoice', 'Add repayment', 'Download invoice', 'Open employees'), false))
  await vi.waitFor(() => expect(ran.mock.calls).toEqual([['Download invoice']]))
  stop()
})
