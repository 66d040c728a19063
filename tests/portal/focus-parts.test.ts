// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { focusNextPart, hereAtom, noticeFocus } from '#portal/keyboard/focus.ts'
import { store } from '#portal/platform/store.ts'

const drawer = `<aside data-region="drawer"><button>Close</button><textarea data-part="note"></textarea></aside>`
const work = `
  <div class="work">
    <div class="pane"><div role="grid" tabindex="0" data-part="list"></div></div>
    <section data-region="detail" tabindex="-1" data-part="record">
      <div class="pane"><div role="grid" tabindex="0" data-part="tab"></div></div>
    </section>
  </div>`
const palette = '<div role="dialog"><input data-part="palette"></div>'

const focus = (part: string) => document.querySelector<HTMLElement>(`[data-part=${part}]`)?.focus()
const walk = (by: 1 | -1, times: number) =>
  Array.from({ length: times }, () => {
    focusNextPart(by)
    return (document.activeElement as HTMLElement).dataset['part']
  })

beforeEach(() => {
  document.body.innerHTML = work + drawer + palette
})

test('F6 cycles through list, record and notes; Shift+F6 backwards', () => {
  focus('list')
  expect(walk(1, 4)).toEqual(['record', 'note', 'list', 'record'])
  expect(walk(-1, 3)).toEqual(['list', 'note', 'record'])
  focus('tab')
  expect(walk(1, 1)).toEqual(['note'])
})

test('F6 is left to the browser without another region', () => {
  document.body.innerHTML = drawer
  focus('note')
  expect(focusNextPart(1)).toBe(false)
})

test('the key map knows the focused region, also before a dialog', () => {
  const parts = [
    ['list', 'grid'],
    ['record', 'detail'],
    ['tab', 'tab'],
    ['note', 'drawer'],
    ['palette', 'drawer'],
  ] as const
  for (const [part, here] of parts) {
    focus(part)
    noticeFocus()
    expect(store.get(hereAtom), part).toBe(here)
  }
})
