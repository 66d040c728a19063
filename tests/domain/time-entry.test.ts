import { describe, expect, test } from 'vitest'
import {
  canApproveTime,
  canRejectTime,
  canReopenTime,
  countsAsEarned,
  firstStatusOf,
  hoursText,
  timeEntryStatuses,
} from '#domain/time-entry.ts'

describe('a time entry', () => {
  test('[TKS-002, TKS-003] is auto-approved up to the daily limit and its threshold, and waits above', () => {
    const terms = { daily_hours_limit: 8, timekeeping_approval_threshold: 500 }
    expect(firstStatusOf(1, terms)).toBe('AUTO')
    expect(firstStatusOf(8 * 60 + 24, terms)).toBe('AUTO')
    expect(firstStatusOf(8 * 60 + 25, terms)).toBe('PENDING')
    expect(firstStatusOf(8 * 60 + 1, { ...terms, timekeeping_approval_threshold: 0 })).toBe('PENDING')
    expect(firstStatusOf(1, { daily_hours_limit: 0, timekeeping_approval_threshold: 10_000 })).toBe('PENDING')
  })

  test('is decided once, and not after its work period', () => {
    const sentenceOf = (rule: typeof canApproveTime, over = false) =>
      timeEntryStatuses.values.map((status) => rule({ status, period_over: over })?.sentence ?? null)
    expect(sentenceOf(canApproveTime)).toEqual([
      null,
      'This time entry is already approved.',
      'This time entry is already approved automatically.',
      null,
    ])
    expect(sentenceOf(canRejectTime)).toEqual([null, null, null, 'This time entry is already rejected.'])
    const nobody = 'Nobody has decided about this time entry.'
    expect(sentenceOf(canReopenTime)).toEqual([nobody, null, nobody, null])
    for (const rule of [canApproveTime, canRejectTime, canReopenTime])
      for (const [index, sentence] of sentenceOf(rule, true).entries())
        expect(sentence).toBe(sentenceOf(rule)[index] ?? 'This work period is over.')
  })

  test('earns while it is approved, by a person or automatically', () => {
    expect(timeEntryStatuses.values.filter(countsAsEarned)).toEqual(['APPROVED', 'AUTO'])
  })

  test('is shown in hours and minutes', () => {
    expect([0, 30, 60, 455].map(hoursText)).toEqual(['0 h', '30 min', '1 h', '7 h 35 min'])
  })
})
