import { expect, test } from 'vitest'
import { deduction } from '#entities/deduction.ts'
import { employee } from '#entities/employee.ts'
import { employer } from '#entities/employer.ts'
import { invoice } from '#entities/invoice.ts'
import { organization } from '#entities/organization.ts'
import { repayment } from '#entities/repayment.ts'
import { writeOff } from '#entities/write-off.ts'
import { readTyped } from '#kernel/sentence/reading.ts'

const nouns = [deduction, employee, employer, invoice, organization, repayment, writeOff]
const ids = (typed: string) => readTyped(typed, nouns, 'http://portal.test').ids.map(({ entity, id }) => `${entity.name} ${id}`)

test('a number with a prefix is one noun, in upper or lower case', () => {
  expect(ids('INV-40001')).toEqual(['invoice 40001'])
  expect(ids('inv-40001')).toEqual(['invoice 40001'])
  expect(ids('REP-70001')).toEqual(['repayment 70001'])
  expect(ids('#INV-40001')).toEqual(['invoice 40001'])
})

test('a bare number may be an employee, which comes first, or an invoice or a repayment', () => {
  expect(ids('40001')).toEqual(['employee 40001', 'employer 40001', 'invoice 40001', 'organization 40001', 'repayment 40001'])
})

test('a formatted amount is not an id', () => {
  for (const typed of ['$40001', '$40,001', '40,001', '40001.00']) expect(ids(typed)).toEqual([])
})

test('a noun before a number and a link determine the noun', () => {
  expect(ids('invoice 40001')).toEqual(['invoice 40001'])
  expect(ids('invoice INV-40001')).toEqual(['invoice 40001'])
  expect(ids('write-off 12')).toEqual(['write-off 12'])
  expect(ids('http://portal.test/deductions/12')).toEqual(['deduction 12'])
  expect(ids('/invoices/INV-40001')).toEqual(['invoice 40001'])
})

test.each([
  ['$199.66', '199.66'],
  ['$ 199.66', '199.66'],
  ['1,628.29', '1628.29'],
  ['$1,628,000', '1628000'],
  ['199.66', '199.66'],
  ['1,62', '1,62'],
  ['/> $1,628.29', '> $1,628.29'],
])('the amount %s is searched for as %s', (typed, text) => {
  expect(readTyped(typed, nouns, 'http://portal.test').text).toBe(text)
})
