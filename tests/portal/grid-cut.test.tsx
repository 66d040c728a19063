import { expect, test } from 'vitest'
import { isCut } from '#portal/list/grid-cut.ts'

test('only a line that may be too long for its cell is clipped', () => {
  expect(isCut('Weekly', 100)).toBe(false)
  expect(isCut('a department with a long name', 100)).toBe(true)
  expect(isCut(1234567, 50)).toBe(true)
  expect(isCut(null, 0)).toBe(false)
})

test('lines of a cell are measured one by one, the parts of a line together', () => {
  const lines = (
    <>
      <strong>Maria Garcia</strong>
      <small>117850</small>
    </>
  )
  expect(isCut(lines, 110)).toBe(false)
  expect(isCut(lines, 100)).toBe(true)
  const pieces = ['117', '850']
  expect(isCut(<small>{pieces} of all</small>, 100)).toBe(true)
})
