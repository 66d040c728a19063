import { expect, test } from 'vitest'
import {
  canAnswerImport,
  canApplyImport,
  canImportAgain,
  fileStatusOf,
  importStatuses,
  lacksMapping,
  leftAlone,
} from '#domain/import.ts'

test('people left alone are those accepted but neither created nor changed', () => {
  expect(leftAlone({ accepted: 6, created: 5, changed: 0, absent: 0 })).toBe(1)
  expect(leftAlone({ accepted: 10, created: 2, changed: 4, absent: 3 })).toBe(7)
})

test('only a failed or rejected file is imported again', () => {
  const again = importStatuses.values.filter((status) => canImportAgain({ status }) === null)
  expect(again).toEqual(['FAIL', 'REJECTED'])
})

test('[ERR-040] a file lacks a mapping only if it failed for that reason', () => {
  expect(lacksMapping({ status: 'FAIL', message: 'File mapping not found' })).toBe(true)
  expect(lacksMapping({ status: 'FAIL', message: 'Unable to map file, Configurations need to be setup.' })).toBe(false)
  expect(lacksMapping({ status: 'REJECTED', message: 'File mapping not found' })).toBe(false)
})

test('a status is read by mapping, then integration, then common words, or is unmapped', () => {
  const mapped = [{ value: 'Active', means: 'UNKNOWN' }] as const
  expect(fileStatusOf('ACTIVE', [], mapped)).toBe('UNKNOWN')
  expect(fileStatusOf('active', ['Active'])).toBe('TERMINATED')
  expect(fileStatusOf('on_leave', [])).toBe('INELIGIBLE')
  expect(['Total', '2', 'x', 'Unknown'].map((text) => fileStatusOf(text, []))).toEqual([null, null, null, null])
})

test('a question must be answered before the import, and only while the file waits', () => {
  const asks = { status: 'PAUSED', outdated: false, questions: [{}] }
  expect(canApplyImport(asks)?.sentence).toBe('Answer the question about the file first.')
  expect(canAnswerImport(asks)).toBeNull()
  expect(canAnswerImport({ ...asks, questions: [] })?.sentence).toBe('The file has no open question.')
  expect(canAnswerImport({ ...asks, status: 'PENDING' })?.sentence).toBe('The file has no open question.')
  expect(canAnswerImport({ ...asks, outdated: true })?.sentence).toMatch(/A newer file of this name/)
  expect(canApplyImport({ ...asks, questions: [] })).toBeNull()
})
