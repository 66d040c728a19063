import { expect, test } from 'vitest'
import { leftAlone } from '#domain/import.ts'

test('what a file of employees leaves alone is what it neither adds nor changes; who is not in it has no line', () => {
  expect(leftAlone({ accepted: 6, created: 5, changed: 0, absent: 0 })).toBe(1)
  expect(leftAlone({ accepted: 10, created: 2, changed: 4, absent: 3 })).toBe(7)
})
