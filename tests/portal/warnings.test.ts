import { expect, test } from 'vitest'
import close from '#commands/invoice/close.ts'
import invite from '#commands/admin/invite.ts'
import { warningsOf } from '#portal/form/use-preview.tsx'
import { invoiceLike } from '#tests/support/examples.ts'

const owing = (id: number, outstanding_amount: number) => invoiceLike({ id, number: `INV-${id}`, outstanding_amount })

test('[CARD-005] over several rows each warning is said by its name, and one for all of them once', () => {
  expect(warningsOf(close, [owing(40100, 503_051)])).toBe('$5,030.51 is outstanding; the invoice stays underpaid.')
  expect(warningsOf(close, [owing(40100, 503_051), owing(40101, 28_598), owing(40102, 0)])).toBe(
    'INV-40100: $5,030.51 is outstanding; the invoice stays underpaid. INV-40101: $285.98 is outstanding; the invoice stays underpaid.',
  )
  expect(warningsOf(close, [owing(40100, 0)])).toBeNull()
  const seven = Array.from({ length: 7 }, (_, at) => owing(40100 + at, 100 * (at + 1)))
  expect(warningsOf(close, seven)).toMatch(/^INV-40100: .+ INV-40104: \$5\.00 is outstanding; .+ And 2 more\.$/)
  expect(warningsOf(invite, [{}, {}])).toBe('The link in the earlier e-mail stops working.')
})
