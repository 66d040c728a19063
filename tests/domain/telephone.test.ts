import { expect, test } from 'vitest'
import { areLastDigits, digitsOfPhone, isTelephone } from '#domain/telephone.ts'

test('a phone number is its digits in any notation; a text with anything else is none', () => {
  for (const text of ['(212) 555-0111', '212.555.0111', '2125550111']) expect(digitsOfPhone(text)).toBe('2125550111')
  for (const text of ['E-0111', '212 555 0111 x', '', '²²²²']) expect(digitsOfPhone(text)).toBe('')
})

test('the country code is ignored for a number without one; digits alone may be an id', () => {
  for (const text of ['+1 (212) 555-0111', '+12125550111', '1.212.555.0111']) expect(digitsOfPhone(text)).toBe('2125550111')
  expect(['12125550111', '+44 20 7946 0111', '+1 212'].map(digitsOfPhone)).toEqual(['12125550111', '442079460111', '1212'])
})

test('four or more digits may be the end of a number of at least seven', () => {
  expect(['0111', '50111', '011', '011a', ''].map(areLastDigits)).toEqual([true, true, false, false, false])
  expect(['+1 (212) 555 0111', '5550111', '555011', 'Mia 5550111'].map(isTelephone)).toEqual([true, true, false, false])
})
