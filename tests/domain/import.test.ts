import { expect, test } from 'vitest'
import { canImportAgain, importStatuses, lacksMapping, leftAlone } from '#domain/import.ts'

test('what a file of employees leaves alone is what it neither adds nor changes; who is not in it has no line', () => {
  expect(leftAlone({ accepted: 6, created: 5, changed: 0, absent: 0 })).toBe(1)
  expect(leftAlone({ accepted: 10, created: 2, changed: 4, absent: 3 })).toBe(7)
})

test('only what failed or was rejected is imported again', () => {
  const again = importStatuses.values.filter((status) => canImportAgain({ status }) === null)
  expect(again).toEqual(['FAIL', 'REJECTED'])
})

test('[ERR-040] a file lacks a mapping where it failed by that, and by nothing else', () => {
  expect(lacksMapping({ status: 'FAIL', message: 'File mapping not found' })).toBe(true)
  expect(lacksMapping({ status: 'FAIL', message: 'Unable to map file, Configurations need to be setup.' })).toBe(false)
  expect(lacksMapping({ status: 'REJECTED', message: 'File mapping not found' })).toBe(false)
})
