import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { useEffect, useLayoutEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { closePalette, composingAtom, openPalette, takeTextAhead } from '#portal/commands/palette-state.ts'
import { StandInField } from '#portal/form/stand-in-field.tsx'
import { deliver, handOver } from '#portal/hotkeys/deliver-key.ts'
import { PaletteDialog } from '#portal/palette/palette-dialog.tsx'
import { store } from '#portal/platform/store.ts'
import { showAlone } from '#tests/portal/alone.tsx'

const none = { code: '', keyCode: 0, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const press = (key: string, more: Partial<typeof none> = {}) => act(() => deliver({ ...none, ...more, key }, () => {}))
const field = () => screen.getByLabelText<HTMLInputElement>('Reason')

function Form({ onKey }: { onKey?: (key: string) => void }) {
  const [text, setText] = useState('Old')
  return (
    <PaletteDialog open label="Pause">
      <button type="button" onClick={() => onKey?.('click')}>
        Help
      </button>
      <input aria-label="Reason" value={text} onChange={({ target }) => setText(target.value)} />
      <div
        role="listbox"
        aria-label="Status"
        tabIndex={0}
        onKeyDown={(event) => {
          onKey?.(event.key)
          if (event.key === 'x') event.preventDefault()
        }}
      />
    </PaletteDialog>
  )
}

// A browser skips hidden elements; here everything counts as visible.
beforeEach(() => {
  Element.prototype.checkVisibility ??= () => true
})
afterEach(() => {
  cleanup()
  closePalette()
  vi.restoreAllMocks()
})

test('a queued letter is text for the focused field, in place of what is selected', () => {
  showAlone(<Form />)
  field().focus()
  field().select()
  for (const key of ['F', 'r', 'x', 'Backspace', 'a']) press(key)
  expect(field().value).toBe('Fra')
  press('a', { ctrlKey: true })
  press('Enter')
  expect(field().value).toBe('Fra')
})

test('a queued key reaches the handlers of the focused element, and does nothing a browser does', () => {
  const keys: string[] = []
  showAlone(<Form onKey={(key) => keys.push(key)} />)
  screen.getByLabelText('Status').focus()
  for (const key of ['f', 'x', 'ArrowDown']) press(key)
  screen.getByRole('button').focus()
  press('Enter')
  press(' ')
  expect(keys).toEqual(['f', 'x', 'ArrowDown'])
})

test('a queued Tab moves through a dialog and wraps, and selects the text of a field', () => {
  showAlone(<Form />)
  const at: (string | null | undefined)[] = []
  screen.getByRole('button').focus()
  for (const shiftKey of [false, false, false, true, true]) {
    press('Tab', { shiftKey })
    at.push(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)
  }
  expect(at).toEqual(['Reason', 'Status', 'Help', 'Status', 'Reason'])
  press('N')
  expect(field().value).toBe('N')
})

test('text typed before a form is drawn goes to its first field with the caret, or as keys', () => {
  openPalette({ kind: 'history' })
  const ahead = showAlone(<StandInField aria-label="Text for the form" />)
  const early = screen.getByLabelText<HTMLInputElement>('Text for the form')
  fireEvent.change(early, { target: { value: 'Fraud' } })
  early.setSelectionRange(2, 3)
  ahead.unmount()
  const keys: string[] = []
  showAlone(<Form onKey={(key) => keys.push(key)} />)
  field().focus()
  field().setSelectionRange(3, 3)
  const text = takeTextAhead()
  act(() => handOver(text))
  expect([field().value, field().selectionStart, field().selectionEnd]).toEqual(['OldFraud', 5, 6])
  expect(takeTextAhead().text).toBe('')
  screen.getByLabelText('Status').focus()
  act(() => handOver({ text: 'ab', caret: null }))
  expect(keys).toEqual(['a', 'b'])
})

test('a field that stands in for another says when a character is being composed', () => {
  const { unmount } = showAlone(<StandInField aria-label="Text for the form" />)
  const early = screen.getByLabelText('Text for the form')
  fireEvent.compositionStart(early)
  expect(store.get(composingAtom)).toBe(true)
  fireEvent.compositionEnd(early)
  expect(store.get(composingAtom)).toBe(false)
  fireEvent.compositionStart(early)
  unmount()
  expect(store.get(composingAtom)).toBe(false)
})

/** Calls `inPage` once its siblings are in the page and their effects have not run, as in a browser that is busy. */
function BeforeEffects({ inPage, effects }: { inPage: () => void; effects: () => void }) {
  useLayoutEffect(() => queueMicrotask(inPage), [inPage])
  useEffect(effects, [effects])
  return null
}

test('letters that reach a new field before its effects have run are all kept', async () => {
  openPalette({ kind: 'coming', title: 'Pause' })
  const page = document.body.appendChild(document.createElement('div'))
  const field = () => page.querySelector('input') as HTMLInputElement
  // The browser sets the value without the setter that React has put in its place.
  const typed = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  const order: string[] = []
  const typeFraud = () => {
    for (const letter of 'Fraud') {
      order.push(letter)
      typed?.call(field(), field().value + letter)
      field().dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: letter }))
    }
  }
  // Inside `act` the effects would run at once.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  const root = createRoot(page)
  root.render(
    <>
      <StandInField aria-label="Text for the form" />
      <BeforeEffects inPage={typeFraud} effects={() => void order.push('effects')} />
    </>,
  )
  await vi.waitFor(() => expect(order).toContain('effects'))
  expect(order[0]).toBe('F')
  expect(field().value).toBe('Fraud')
  expect(takeTextAhead().text).toBe('Fraud')
  root.unmount()
  page.remove()
  vi.unstubAllGlobals()
})
