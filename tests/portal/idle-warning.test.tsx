import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { idleLeftAtom, meAtom } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { watchIdle } from '#portal/session/idle.ts'
import { adminWithout } from '#tests/support/examples.ts'

beforeEach(() => {
  vi.useFakeTimers()
  const me = adminWithout()
  store.set(meAtom, { ...me, session: { ...me.session, idle_seconds: 900, warning_seconds: 60 } })
})
afterEach(() => {
  store.set(meAtom, null)
  vi.useRealTimers()
})

test('[CONST-013] the warning closes with its session: after the next sign-in nothing covers the work', () => {
  const stop = watchIdle()
  vi.advanceTimersByTime(840_000)
  expect(store.get(idleLeftAtom)).toBeGreaterThan(0)
  stop()
  expect(store.get(idleLeftAtom)).toBeNull()
})
