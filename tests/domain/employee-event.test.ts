import { expect, test } from 'vitest'
import { employeeEventStatuses, eventCategories, eventWords } from '#domain/employee-event.ts'

/** Section 3 of the specification, word for word. */
const specified = [
  'Paused',
  'Resumed',
  'CREATE',
  'DEACTIVATE',
  'Additional Transaction',
  'KYC Details Changed',
  'Phone Removal',
  'address_changed',
]

test('the event statuses and both categories are those of the specification', () => {
  expect(employeeEventStatuses.slice(0, specified.length)).toEqual(specified)
  expect(new Set(employeeEventStatuses).size).toBe(employeeEventStatuses.length)
  expect(eventCategories).toEqual(['user', 'card'])
})

test.each([
  ['CREATE', 'user', 'Created'],
  ['CREATE', 'card', 'Card created'],
  ['DEACTIVATE', undefined, 'Deactivated'],
  ['DEACTIVATE', 'card', 'Card deactivated'],
  ['address_changed', 'user', 'Address changed'],
  ['Paused', 'user', 'Paused'],
  ['constructor', 'user', 'constructor'],
])('[ENUM-023] the event %s of the category %s reads %s', (status, category, words) => {
  expect(eventWords(status, category)).toBe(words)
})
