import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { configured, percentOf } from '#domain/money.ts'
import { validateRefund, validateRollover, overpaidOf, refundCap, rolloverCap } from '#domain/overpayment.ts'

/** $100.00 invoiced, $120.00 paid, 10% can roll over. */
const facts = { invoice_amount: 10_000, paid_amount: 12_000, outstanding_amount: -2_000, allowed_rollover_percentage: 1_000 }

const anyFacts = fc
  .record({
    invoice_amount: fc.integer({ min: -10_000, max: 10_000_000 }),
    paid_amount: fc.integer({ min: -10_000, max: 10_000_000 }),
    allowed_rollover_percentage: fc.option(fc.integer({ min: -100, max: 10_000 })),
  })
  .map((each) => ({ ...each, outstanding_amount: each.invoice_amount - each.paid_amount }))

describe('a rollover', () => {
  test('[INV-022, INV-023, INV-024] is refused above the paid amount, below 0, and if the remainder became negative', () => {
    expect(validateRollover(facts, 1_000)).toBeNull()
    expect(validateRollover({ ...facts, paid_amount: 900 }, 901)?.code).toBe('rollover-above-paid')
    expect(validateRollover(facts, -1)?.code).toBe('rollover-below-zero')
    expect(validateRollover(facts, 0)?.code).toBe('amount-required')
    expect(validateRollover({ ...facts, outstanding_amount: -500 }, 501)?.sentence).toMatch(
      'The remaining amount cannot be negative.',
    )
    expect(validateRollover(facts, 1.5)?.code).toBe('amount-invalid')
    expect(validateRollover(facts, Number.NaN)?.code).toBe('amount-invalid')
  })

  test('[CONST-004] is refused above the configured percentage of the invoice', () => {
    expect(validateRollover(facts, 1_001)?.sentence).toBe('At most 10% of the invoice may roll over: $10.00.')
    expect(validateRollover({ ...facts, allowed_rollover_percentage: 1_500 }, 1_500)).toBeNull()
  })

  test('[CONST-011] is disabled if the percentage is missing or not positive', () => {
    for (const allowed_rollover_percentage of [null, undefined, 0, -500]) {
      expect(validateRollover({ ...facts, allowed_rollover_percentage }, 1)?.code).toBe('rollover-disabled')
      expect(rolloverCap({ ...facts, allowed_rollover_percentage })).toBe(0)
    }
  })

  test('[INV-022, INV-023, INV-024] goes exactly up to the cap', () => {
    fc.assert(
      fc.property(anyFacts, fc.integer({ min: -100, max: 3_000_000 }), (each, amount) => {
        const cap = rolloverCap(each)
        expect(cap).toBeGreaterThanOrEqual(0)
        expect(cap).toBeLessThanOrEqual(overpaidOf(each))
        expect(validateRollover(each, amount) === null).toBe(amount > 0 && amount <= cap)
        if (cap > 0) expect(validateRollover(each, cap)).toBeNull()
        expect(validateRollover(each, cap + 1)).not.toBeNull()
      }),
    )
  })
})

describe('a refund', () => {
  test('[INV-024] goes up to the whole overpaid amount, whatever the percentage', () => {
    expect(refundCap({ ...facts, outstanding_amount: 5 })).toBe(0)
    expect(validateRefund(facts, 2_000)).toBeNull()
    expect(validateRefund(facts, 2_001)?.code).toBe('remaining-negative')
    expect(validateRefund(facts, -1)?.code).toBe('refund-below-zero')
    expect(validateRefund(facts, 0)?.code).toBe('amount-required')
    fc.assert(
      fc.property(anyFacts, fc.integer({ min: -100, max: 3_000_000 }), (each, amount) => {
        expect(validateRefund(each, amount) === null).toBe(amount > 0 && amount <= refundCap(each))
      }),
    )
  })
})

describe('percentages and configured amounts', () => {
  test('[CONST-009] a percentage rounds down to the cent, and is exact where floats are not', () => {
    expect(percentOf(9_999, 1_000)).toBe(999)
    expect(percentOf(-1, 5_000)).toBe(-1)
    expect(percentOf(8_999_999_999_999_999, 9_999)).toBe(8_999_099_999_999_999)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), fc.integer({ min: 0, max: 10_000 }), (cents, basis) => {
        const share = percentOf(cents, basis)
        expect(share * 10_000).toBeLessThanOrEqual(cents * basis)
        expect((share + 1) * 10_000).toBeGreaterThan(cents * basis)
      }),
    )
  })

  test('[CONST-011] a missing or non-positive configuration amount becomes 0', () => {
    for (const value of [null, undefined, 0, -1, -0, Number.NaN]) expect(configured(value)).toBe(0)
    expect(configured(1)).toBe(1)
  })
})
