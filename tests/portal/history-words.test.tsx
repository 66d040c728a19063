import { expect, test } from 'vitest'
import employees from '#portal/nouns/employees/list.tsx'
import users from '#portal/nouns/users/list.tsx'

test.each([
  ['status', 'PAUSED', 'Status: Paused'],
  ['kyc_status', 'UNDER_REVIEW', 'Identity check: Under review'],
  ['card_status', 'DELETED', 'Card: Deleted'],
  ['bank_account_status', 'ACTIVE', 'Bank account: Active'],
  ['pause_reason', 'PAUSED', 'Pause reason: PAUSED'],
])('a change of %s to %s reads %s', (field, value, words) => {
  expect(`${employees.words.field(field)}: ${employees.words.value(field, value)}`).toBe(words)
})

test.each([
  ['status', 'CONFIRMATION_PENDING', 'Status: Confirmation pending'],
  ['card_status', 'DELETED', 'Card: Deleted'],
  ['bank_account_status', 'ACTIVE', 'Bank account: Active'],
])('on the record of the user, too, a change of %s to %s reads %s', (field, value, words) => {
  expect(`${users.words.field(field)}: ${users.words.value(field, value)}`).toBe(words)
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
