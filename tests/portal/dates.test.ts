import { afterEach, expect, test } from 'vitest'
import { dateAndTime, shortDate, showTimesIn } from '#portal/format/dates.ts'

const at = '2026-11-21T03:02:00.000Z'
afterEach(() => showTimesIn('America/New_York'))

test('a time is in the business time zone, which is named if that of the browser differs', () => {
  showTimesIn('America/Los_Angeles')
  expect(dateAndTime(at)).toMatch(/^20 Nov 2026, 19:02/)
  expect(shortDate(at)).toBe('20 Nov 2026')
  showTimesIn(new Date(at).getHours() === 17 ? 'Pacific/Niue' : 'Pacific/Kiritimati')
  expect(dateAndTime(at)).toMatch(/^(21 Nov 2026, 17:02 GMT\+14|20 Nov 2026, 16:02 GMT-11)$/)
  showTimesIn(Intl.DateTimeFormat().resolvedOptions().timeZone)
  expect(dateAndTime(at)).toMatch(/, \d\d:\d\d$/)
})

test('a date without a time is the same everywhere', () => {
  showTimesIn('Pacific/Kiritimati')
  expect(shortDate('2026-03-14')).toBe('14 Mar 2026')
  expect([shortDate(null), dateAndTime(undefined)]).toEqual(['—', '—'])
})
