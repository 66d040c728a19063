import { afterEach, beforeEach, expect, test } from 'vitest'
import { replay } from '#portal/hotkeys/replay-key.ts'

const press = (shiftKey = false): string | undefined => {
  replay({ key: 'Tab', code: 'Tab', keyCode: 9, ctrlKey: false, metaKey: false, altKey: false, shiftKey }, () => {})
  return document.activeElement?.id
}
const focus = (id: string) => document.getElementById(id)?.focus()

beforeEach(() => {
  document.body.innerHTML = `
    <a id="skip" href="#list">Skip</a>
    <div id="list" tabindex="0"></div>
    <section id="record" tabindex="-1"><button id="pause">Pause</button><button id="tab">General</button></section>`
  // A browser skips hidden elements; here everything counts as visible.
  for (const element of document.querySelectorAll('*')) Object.assign(element, { checkVisibility: () => true })
})
afterEach(() => {
  document.body.innerHTML = ''
})

test('a queued Tab continues from an element that is not a tab stop', () => {
  focus('record')
  expect(press()).toBe('pause')
  focus('record')
  expect(press(true)).toBe('list')
})

test('a queued Tab moves from stop to stop, and wraps around', () => {
  focus('skip')
  expect([press(), press(), press(), press(), press(true)]).toEqual(['list', 'pause', 'tab', 'skip', 'tab'])
})
