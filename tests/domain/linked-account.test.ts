import { expect, test } from 'vitest'
import { canDeleteBankAccount, canDeleteCard, type LinkedAccountFacts } from '#domain/linked-account.ts'

const consumer = (status: string, card_connected: boolean): LinkedAccountFacts => ({ status, flow: 'CONSUMER', card_connected })
const byCard =
  "This is a consumer flow user. It's forbidden to deactivate the bank account while user still has a card connected."

test.each([
  [consumer('ACTIVE', true), byCard],
  [consumer('PENDING', true), byCard],
  [consumer('ACTIVE', false), undefined],
  [{ ...consumer('ACTIVE', true), flow: 'PAYROLL' as const }, undefined],
  [{ ...consumer('ACTIVE', true), flow: null }, undefined],
  [consumer('FAIL', true), 'Failed bank links cannot be deleted.'],
  [consumer('DELETED', false), 'Actions unavailable when in Deleted.'],
])('a bank account %j is refused with %s', (one, sentence) => {
  expect(canDeleteBankAccount(one)?.sentence).toBe(sentence)
})

test.each([
  ['ACTIVE', undefined],
  ['PENDING', undefined],
  ['FAIL', 'Failed card links cannot be deleted.'],
  ['DELETED', 'Actions unavailable when in Deleted.'],
])('a card that is %s is refused with %s', (status, sentence) => {
  expect(canDeleteCard({ status })?.sentence).toBe(sentence)
})
