import { expect, test } from 'vitest'
import { idleState } from '#portal/session/idle.ts'

const session = { idle_seconds: 900, warning_seconds: 120 }
const at = 1_000_000_000

test('[CONST-013] the warning comes before the end, by the time that the server sets', () => {
  expect(idleState(at + 700_000, at, session).warn).toBe(false)
  expect(idleState(at + 780_000, at, session)).toEqual({ left: 105_000, warn: true })
  expect(idleState(at + 900_000, at, session).left).toBeLessThan(0)
})

test('[CONST-013] another time-out moves the warning with it', () => {
  expect(idleState(at + 20_000, at, { idle_seconds: 60, warning_seconds: 30 }).warn).toBe(true)
  expect(idleState(at + 10_000, at, { idle_seconds: 60, warning_seconds: 30 }).warn).toBe(false)
})
