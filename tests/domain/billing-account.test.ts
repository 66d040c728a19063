import { expect, test } from 'vitest'
import { routingProblem } from '#domain/billing-account.ts'
import { readAccountLines } from '#domain/billing-account-lines.ts'

test.each(['121000248', '021000021', '026009593', '011000015', '091000019', '122105155', '322271627', '231380104'])(
  'the routing number %s is valid',
  (number) => expect(routingProblem(number)).toBeNull(),
)

test('an account whose name contains a heading word is not a heading', () => {
  expect(readAccountLines('Routing reserve\tHarbor LLC\t021000021\t12345678').accounts.map(({ nickname }) => nickname)).toEqual([
    'Routing reserve',
  ])
})

test('pasted accounts: headings and blank lines are skipped, lost leading zeros restored', () => {
  const text =
    'Nickname\tAccount name\tRouting number\tAccount number\n\nPayroll\tHarbor Foods\t21000021\t0001234567\tACH1\tHarbor Bank\r\nReserve\tHarbor Foods\t121000248\t998877'
  expect(readAccountLines(text)).toEqual({
    accounts: [
      {
        nickname: 'Payroll',
        name: 'Harbor Foods',
        routing_number: '021000021',
        account_number: '0001234567',
        ach_code: 'ACH1',
        bank_name: 'Harbor Bank',
      },
      { nickname: 'Reserve', name: 'Harbor Foods', routing_number: '121000248', account_number: '998877' },
    ],
    faults: [],
  })
})

test('[VAL-005] [VAL-006] errors of a line are reported with its number', () => {
  const faultsOf = (...lines: string[]) => readAccountLines(lines.join('\n')).faults
  expect(faultsOf('Payroll\tHarbor\t121000248\t1234', 'Reserve\t\t121000248\t1234')).toEqual(['Line 2: Account name is missing'])
  expect(faultsOf('Payroll\tHarbor\t121000249\t1234')).toEqual([
    'Line 1: The check digit does not fit: a digit of this routing number is wrong.',
  ])
  expect(faultsOf('Payroll;Harbor;121000248;123')).toEqual(['Line 1: An account number has 4 to 17 digits.'])
  expect(faultsOf(`${'x'.repeat(61)}\tHarbor\t121000248\t1234`)).toEqual(['Line 1: Nickname: at most 60 characters'])
  expect(faultsOf('a,b,121000248,1234,c,d,e')).toEqual(['Line 1: At most 6 columns'])
})
