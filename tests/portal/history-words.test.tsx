import { expect, test } from 'vitest'
import employees from '#portal/nouns/employees/list.tsx'

test.each([
  ['status', 'PAUSED', 'Status: Paused'],
  ['kyc_status', 'UNDER_REVIEW', 'Identity check: Under review'],
  ['card_status', 'DELETED', 'Card: Deleted'],
  ['bank_account_status', 'ACTIVE', 'Bank account: Active'],
  ['pause_reason', 'PAUSED', 'Pause reason: PAUSED'],
])('a change of %s to %s reads %s', (field, value, words) => {
  expect(`${employees.words.field(field)}: ${employees.words.value(field, value)}`).toBe(words)
})

test('a status that is not open to the person says so in the list; one that there is not leaves the cell empty', () => {
  const cell = (title: string, one: object) =>
    employees.views
      .flatMap((view) => view.columns)
      .find((column) => column.title === title)
      ?.text(one as never)
  expect(cell('Status', { status: null })).toBe('Restricted')
  expect(cell('Status', { status: 'PAUSED' })).toBe('Paused')
  expect(cell('Identity check', { user: { kyc_status: null } })).toBe('—')
  expect(cell('Identity check', { user: null })).toBe('—')
})
