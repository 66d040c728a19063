// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tookTooLong } from '#portal/keyboard/hold.ts'
import { waits, watchQueue } from '#portal/hotkeys/key-queue.ts'
import { swallowRunOn } from '#portal/session/sign-in/run-on.ts'

let now = 0
beforeEach(() => {
  now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  document.body.innerHTML = '<main data-region="detail" tabindex="-1"></main><input type="password" />'
})
afterEach(() => vi.restoreAllMocks())

/** Presses a key some milliseconds after the last one. */
function press(key: string, after: number, how: KeyboardEventInit = {}): KeyboardEvent {
  now += after
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...how })
  Object.defineProperty(event, 'timeStamp', { value: now })
  return event
}

test('keys typed on when a session has ended reach no field of the sign-in, until a pause', () => {
  const field = document.querySelector('input') as HTMLInputElement
  const reached: string[] = []
  field.addEventListener('keydown', ({ key }) => reached.push(key))
  const stop = swallowRunOn()
  const type = (key: string, after: number, how?: KeyboardEventInit) => field.dispatchEvent(press(key, after, how))
  for (const key of ['m', 'o', 'r', 'e', 'Enter', 'Tab']) expect(type(key, 300)).toBe(false)
  expect(type('r', 300, { ctrlKey: true })).toBe(true)
  expect(type('x', 300)).toBe(false)
  expect(type('P', 800)).toBe(true)
  expect(type('o', 100)).toBe(true)
  expect(reached).toEqual(['r', 'P', 'o'])
  stop()
})

test('after ignored keys, those that follow without a pause are ignored as well', () => {
  const stop = watchQueue()
  ;(document.querySelector('main') as HTMLElement).focus()
  const taken = (key: string, after: number) => waits(press(key, after))
  expect(taken('3', 5_000)).toBe(false)
  tookTooLong()
  expect([...'paused'].map((key) => taken(key, 200))).toEqual([true, true, true, true, true, true])
  expect(taken('p', 701)).toBe(false)
  expect(taken('a', 100)).toBe(false)
  tookTooLong()
  expect(taken('Escape', 100)).toBe(false)
  expect(taken('p', 100)).toBe(false)
  stop()
})
