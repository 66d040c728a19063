import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AllocatableInvoice,
  achStates,
  canChangeAllocations,
  canReturn,
  counts,
  validateNewRepayment,
  validateOneDebtor,
  validateRepaymentEdit,
  validateReturn,
  originLabels,
  origins,
  reconciliationOf,
  reconciliations,
} from '#domain/repayment.ts'

const invoice = (id: number, more: Partial<AllocatableInvoice> = {}): AllocatableInvoice => ({
  id,
  debtor: 7,
  status: 'SENT',
  invoice_amount: 10_000,
  paid_amount: 0,
  outstanding_amount: 10_000,
  due_date: '2026-03-02',
  ...more,
})
const overpaid = invoice(1, { status: 'CLOSED', paid_amount: 12_000, outstanding_amount: -2_000 })

describe('reconciliation', () => {
  test('[REP-001, REP-002, REP-003] has three states, failed shown as unreconciled/failed', () => {
    expect(reconciliations.labels).toEqual({ RECONCILED: 'Reconciled', PENDING: 'Pending', FAILED: 'Unreconciled/Failed' })
  })

  test('[REP-004, REP-005] an ACH is pending or completed, and counts as paid when completed', () => {
    expect(achStates.labels).toEqual({ PENDING: 'Pending', COMPLETED: 'Completed' })
    expect(counts({ failed: false, ach_state: 'PENDING' })).toBe(false)
    expect(counts({ failed: false, ach_state: 'COMPLETED' })).toBe(true)
    expect(counts({ failed: false, ach_state: null })).toBe(true)
    expect(counts({ failed: true, ach_state: 'COMPLETED' })).toBe(false)
  })

  test.each([
    ['REP-001', false, 0, null, 'RECONCILED'],
    ['REP-001', false, 0, 'COMPLETED', 'RECONCILED'],
    ['REP-002', false, 0, 'PENDING', 'PENDING'],
    ['REP-002', false, 1, 'COMPLETED', 'PENDING'],
    ['REP-003', true, 0, 'COMPLETED', 'FAILED'],
    ['REP-003', true, 9, null, 'FAILED'],
  ] as const)('[%s] failed %s, %i unallocated, ACH %s is %s', (_, failed, unallocated_amount, ach_state, expected) => {
    expect(reconciliationOf({ failed, unallocated_amount, ach_state })).toBe(expected)
  })

  test('[ENT-099, ENT-100, ENT-101] a repayment comes from an ACH entry, a return or a person', () => {
    expect(origins.map((origin) => originLabels[origin])).toEqual(['ACH entry', 'Return', 'User ID'])
  })
})

describe('a new repayment', () => {
  const validate = (
    amount: number | null | undefined,
    allocations: [number, number][] = [],
    invoices = [invoice(1), invoice(2)],
  ) =>
    validateNewRepayment(
      { amount, date: '2026-03-02', allocations: allocations.map(([invoice_id, part]) => ({ invoice_id, amount: part })) },
      invoices,
    )

  test('[REP-006] needs an amount', () => {
    for (const amount of [null, undefined, 0]) expect(validate(amount)?.sentence).toBe('Repayment amount is required')
    for (const amount of [1.5, Number.NaN, Number.POSITIVE_INFINITY]) expect(validate(amount)?.code).toBe('amount-invalid')
  })

  test('[REP-010] needs a date', () => {
    expect(validateNewRepayment({ amount: 1, date: '', allocations: [] }, [])?.sentence).toBe('Date is required')
    expect(validateNewRepayment({ amount: 1, date: null, allocations: [] }, [])?.sentence).toBe('Date is required')
  })

  test('[REP-007] below 0 is only possible for an overpaid invoice', () => {
    const sentence = 'Negative payment is only possible for overpaid invoice'
    expect(validate(-1, [[1, -1]], [overpaid])).toBeNull()
    expect(validate(-1, [[1, -1]], [invoice(1)])?.sentence).toBe(sentence)
    expect(validate(-1, [[1, -1]], [invoice(1, { outstanding_amount: 0 })])?.sentence).toBe(sentence)
    expect(validate(-1, [], [overpaid])?.sentence).toBe(sentence)
    expect(validate(-2, [[1, -1]], [overpaid])?.sentence).toBe(sentence)
    expect(validate(-1, [[1, -1]], [{ ...overpaid, status: 'PROCESSING' }])?.code).toBe('submission-made')
  })

  test('[REP-009] below 0 is at most the overpaid amount', () => {
    expect(validate(-2_000, [[1, -2_000]], [overpaid])).toBeNull()
    expect(validate(-2_001, [[1, -2_001]], [overpaid])?.sentence).toBe('A payment cannot exceed the overpaid amount')
  })

  test('is allocated to unique invoices of one debtor, with its own sign, at most its amount', () => {
    expect(validate(300, [[1, 100], [2, 200]])).toBeNull() // biome-ignore format: pairs
    expect(validate(299, [[1, 100], [2, 200]])?.code).toBe('allocation-above-amount') // biome-ignore format: pairs
    expect(validate(300, [[1, 100], [1, 100]])?.code).toBe('allocation-invalid') // biome-ignore format: pairs
    expect(validate(300, [[1, 400], [2, -100]])?.code).toBe('allocation-invalid') // biome-ignore format: pairs
    expect(validate(300, [[1, 0]])?.code).toBe('allocation-invalid')
    expect(validate(300, [[3, 100]])?.code).toBe('allocation-other-debtor')
    expect(validate(300, [[1, 100], [2, 100]], [invoice(1), invoice(2, { debtor: 8 })])?.code).toBe('allocation-other-debtor') // biome-ignore format: pairs
  })

  test('may pay more than is owed when allocated explicitly, also to a closed invoice', () => {
    expect(validate(20_000, [[1, 20_000]])).toBeNull()
    expect(validate(1, [[1, 1]], [overpaid])).toBeNull()
    expect(validate(1, [[1, 1]], [invoice(1, { status: 'DRAFT' })])?.sentence).toBe('Actions unavailable when in Draft.')
    expect(validate(1, [[1, 1]], [invoice(1, { status: 'REFUND_IN_PROGRESS' })])?.code).toBe('submission-made')
  })

  test('an accepted one never allocates more than its amount, nor pays back more than overpaid', () => {
    const parts = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: -3_000, max: 3_000 })), { maxLength: 3 })
    fc.assert(
      fc.property(fc.integer({ min: -3_000, max: 3_000 }), parts, (amount, chosen) => {
        const books = [overpaid, invoice(2), { ...overpaid, id: 3, outstanding_amount: -1 }]
        if (validate(amount, chosen, books)) return
        const sum = chosen.reduce((total, [, part]) => total + part, 0)
        expect(amount === 0).toBe(false)
        expect(Math.abs(sum)).toBeLessThanOrEqual(Math.abs(amount))
        for (const [id, part] of chosen) {
          expect(Math.sign(part)).toBe(Math.sign(amount))
          const max = books.find((each) => each.id === id)?.outstanding_amount ?? 0
          if (part < 0) expect(part).toBeGreaterThanOrEqual(max)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('an edited repayment', () => {
  const before = { origin: 'USER', amount: 500, date: '2026-03-02', returned_amount: 0 }
  const after = { amount: 500, date: '2026-03-02' }

  test('[REP-008] cannot be changed to negative', () => {
    expect(validateRepaymentEdit(before, { ...after, amount: -500 })?.sentence).toBe(
      'An existing repayment cannot be changed to negative.',
    )
    expect(validateRepaymentEdit({ ...before, amount: -500 }, { ...after, amount: -400 })?.code).toBe('cannot-become-negative')
    expect(validateRepaymentEdit({ ...before, amount: -500 }, { ...after, amount: 400 })?.code).toBe('origin-fixed')
    expect(validateRepaymentEdit({ ...before, amount: -500 }, { amount: -500, date: '2026-03-03' })).toBeNull()
    expect(validateRepaymentEdit(before, { ...after, amount: 1 })).toBeNull()
  })

  test('[REP-006, REP-010] needs an amount and a date', () => {
    expect(validateRepaymentEdit(before, { ...after, amount: 0 })?.sentence).toBe('Repayment amount is required')
    expect(validateRepaymentEdit(before, { ...after, amount: null })?.sentence).toBe('Repayment amount is required')
    expect(validateRepaymentEdit(before, { ...after, date: '' })?.sentence).toBe('Date is required')
  })

  test.each(['ACH_ENTRY', 'RETURN', 'SOMETHING_NEW'])('of origin %s keeps amount and date', (origin) => {
    const fixed = { ...before, origin }
    expect(validateRepaymentEdit(fixed, after)).toBeNull()
    expect(validateRepaymentEdit(fixed, { ...after, amount: 501 })?.code).toBe('origin-fixed')
    expect(validateRepaymentEdit(fixed, { ...after, date: '2026-03-03' })?.code).toBe('origin-fixed')
  })

  test('with a partial return keeps its amount', () => {
    const back = { ...before, returned_amount: 1 }
    expect(validateRepaymentEdit(back, { ...after, amount: 499 })?.code).toBe('repayment-returned')
    expect(validateRepaymentEdit(back, { ...after, date: '2026-03-03' })).toBeNull()
  })
})

describe('a received repayment', () => {
  test('is reallocated until all of it is returned; a payback stays on its invoice', () => {
    expect(canChangeAllocations({ origin: 'ACH_ENTRY', amount: 500, returned_amount: 499 })).toBeNull()
    expect(canChangeAllocations({ origin: 'ACH_ENTRY', amount: 500, returned_amount: 500 })?.code).toBe('repayment-returned')
    expect(canChangeAllocations({ origin: 'USER', amount: -500 })?.code).toBe('allocation-invalid')
    expect(canChangeAllocations({ origin: 'RETURN', amount: -500 })).toBeNull()
    expect(canChangeAllocations({ origin: 'RETURN', amount: -500, posted: false })?.code).toBe('status-forbids')
    expect(canChangeAllocations({ origin: 'RETURN', amount: -500, failure: 'TAKEN_BACK' })?.code).toBe('repayment-returned')
  })

  test('may be returned up to its remaining amount', () => {
    expect(canReturn({ origin: 'ACH_ENTRY', amount: 500 })).toBeNull()
    expect(canReturn({ origin: 'RETURN', amount: 500 })?.code).toBe('not-positive')
    expect(canReturn({ origin: 'USER', amount: -500 })?.code).toBe('not-positive')
    expect(validateReturn({ amount: 500, returned_amount: 200 }, 300)).toBeNull()
    expect(validateReturn({ amount: 500, returned_amount: 200 }, 301)?.code).toBe('return-above-repayment')
    expect(validateReturn({ amount: -500 }, 1)?.code).toBe('return-above-repayment')
    for (const amount of [0, -1, 0.5, Number.NaN]) expect(validateReturn({ amount: 500 }, amount)?.code).toBe('amount-invalid')
  })
})

test('a repayment has one debtor: with several the message names them, and what to select', () => {
  const of = (debtor_id: number, debtor_type = 'EMPLOYER') => ({ debtor_type, debtor_id, debtor_name: `Works ${debtor_id}` })
  const sentence = (...invoices: ReturnType<typeof of>[]) => validateOneDebtor(invoices)?.sentence
  expect(sentence(of(1))).toBeUndefined()
  expect(sentence(of(1), of(1), of(1))).toBeUndefined()
  expect(sentence(of(1), of(2), of(1))).toBe(
    'These invoices are owed by 2 employers: Works 1 and Works 2. Select those of one employer for a repayment.',
  )
  expect(sentence(of(1), of(2), of(3), of(4))).toContain('owed by 4 employers: Works 1, Works 2 and 2 more.')
  // An employer and its organization are different debtors, whatever their ids.
  expect(sentence(of(1), of(1, 'ORGANIZATION'))).toContain('Select those of one debtor for a repayment.')
})
