import { expect, test } from 'vitest'
import { toastPlace } from '#portal/shell/toast-place.ts'

const screen = { width: 1440, height: 900 }
const whole = { left: 0, right: 1440, top: 0, bottom: 900 }
const bar = { left: 0, right: 1440, top: 872, bottom: 900 }
const actions = { left: 820, right: 1440, top: 780, bottom: 872 }

test('toasts are at the lower right, above the status bar', () => {
  expect(toastPlace(screen, whole, [bar], 44)).toEqual({ right: 16, bottom: 36, width: 440 })
})

test('inside of the list beside a record, as wide as that allows', () => {
  const list = { left: 212, right: 522, top: 44, bottom: 740 }
  const place = toastPlace({ width: 1024, height: 768 }, list, [{ left: 522, right: 1024, top: 649, bottom: 740 }], 44)
  expect(place).toEqual({ right: 1024 - 506, bottom: 44, width: 278 })
})

test('above every action bar that they would cover, and above one more behind it', () => {
  expect(toastPlace(screen, whole, [actions, bar], 44).bottom).toBe(900 - 780 + 8)
  const foot = { left: 400, right: 1040, top: 720, bottom: 770 }
  expect(toastPlace(screen, whole, [foot, actions, bar], 44).bottom).toBe(900 - 720 + 8)
})

test('above a form, which is as high as the screen allows, and never off the screen', () => {
  const form = { left: 390, right: 1050, top: 100, bottom: 835 }
  expect(toastPlace(screen, whole, [bar, form], 44).bottom).toBe(900 - 100 + 8)
  expect(toastPlace(screen, whole, [bar, { ...form, top: 20 }], 44).bottom).toBe(900 - 44)
})

test('beside a bar they stay in place', () => {
  expect(toastPlace(screen, whole, [bar, { left: 0, right: 900, top: 700, bottom: 872 }], 44).bottom).toBe(36)
})
