import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allocate, type NumberedInvoice, numbersIn, shareReturn, split, suggestMatch } from '#domain/allocation.ts'

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
const cents = fc.integer({ min: 1, max: 10_000_000 })
const date = fc.integer({ min: 1, max: 28 }).map((day) => `2026-02-${String(day).padStart(2, '0')}`)

const open = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 999 }),
    due_date: date,
    issue_date: date,
    outstanding_amount: fc.integer({ min: -5_000, max: 50_000 }),
  }),
  { selector: (invoice) => invoice.id, maxLength: 12 },
)

describe('a split', () => {
  test('gives the remaining cents to the largest remainders', () => {
    expect(split(100, [1, 1, 1])).toEqual([34, 33, 33])
    expect(split(-100, [1, 1, 1])).toEqual([-34, -33, -33])
    expect(split(10, [1, 5, 4])).toEqual([1, 5, 4])
    expect(split(1, [1, 3, 2])).toEqual([0, 1, 0])
    expect(split(5, [0, 0])).toEqual([3, 2])
    expect(split(0, [])).toEqual([])
    expect(() => split(1, [])).toThrow(RangeError)
    expect(() => split(1, [2, -1])).toThrow(RangeError)
  })

  test('[CONST-009] always adds up, is within a cent of the exact share, and gives nothing to weight 0', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 1_000_000_000 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }), weights, (amount, shares) => {
        const parts = split(amount, shares)
        expect(sum(parts)).toBe(amount)
        const total = sum(shares)
        for (const [index, part] of parts.entries()) {
          if (total === 0) continue
          const away = BigInt(part) * BigInt(total) - BigInt(amount) * BigInt(shares[index] ?? 0)
          expect(away < BigInt(total) && -away < BigInt(total)).toBe(true)
          if (shares[index] === 0) expect(part).toBe(0)
        }
      }),
    )
  })
})

describe('automatic allocation', () => {
  test('takes the earliest due first, then by issue date, then by id', () => {
    const invoices = [
      { id: 10, due_date: '2026-02-02', issue_date: '2026-01-02', outstanding_amount: 100 },
      { id: 9, due_date: '2026-02-02', issue_date: '2026-01-02', outstanding_amount: 100 },
      { id: 1, due_date: '2026-02-02', issue_date: '2026-01-03', outstanding_amount: 100 },
      { id: 2, due_date: '2026-02-01', issue_date: '2026-01-09', outstanding_amount: 100 },
      { id: 3, due_date: null, issue_date: null, outstanding_amount: 100 },
    ]
    const taken = allocate(10_000, invoices)
    expect(taken.allocations.map((part) => part.invoice_id)).toEqual([2, 9, 10, 1, 3])
    expect(taken.unallocated_amount).toBe(9_500)
    expect(allocate(150, invoices).allocations).toEqual([
      { invoice_id: 2, amount: 100 },
      { invoice_id: 9, amount: 50 },
    ])
  })

  test('never exceeds the owed amount, has a rest only if nothing is owed, and loses no cent', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100, max: 300_000 }), open, (amount, invoices) => {
        const { allocations, unallocated_amount } = allocate(amount, invoices)
        expect(sum(allocations.map((part) => part.amount)) + unallocated_amount).toBe(amount)
        for (const part of allocations) {
          const owed = invoices.find((invoice) => invoice.id === part.invoice_id)?.outstanding_amount ?? 0
          expect(part.amount).toBeGreaterThan(0)
          expect(part.amount).toBeLessThanOrEqual(owed)
        }
        const owed = sum(invoices.map((invoice) => Math.max(0, invoice.outstanding_amount)))
        expect(unallocated_amount).toBe(amount < 0 ? amount : Math.max(0, amount - owed))
        expect(allocate(amount, [...invoices].reverse())).toEqual({ allocations, unallocated_amount })
      }),
    )
  })
})

describe('a suggested match', () => {
  const invoice = (id: number, due_date: string, outstanding_amount: number): NumberedInvoice<number> => ({
    id,
    number: `INV-${id}`,
    due_date,
    issue_date: '2026-01-01',
    outstanding_amount,
  })
  const invoices = [
    invoice(40001, '2026-02-01', 5_000),
    invoice(40002, '2026-02-08', 7_000),
    invoice(40003, '2026-02-15', 3_000),
    invoice(40004, '2026-02-22', 5_000),
  ]
  const suggest = (amount: number, descriptor: string | null = null, on = '2026-02-20') =>
    suggestMatch({ amount, descriptor, date: on }, invoices)

  test('prefers a number in the descriptor, and gives the rest to the oldest', () => {
    expect(suggest(7_000, 'ACME CORP INV-40003 thanks')).toEqual({
      reason: 'NUMBER',
      allocations: [
        { invoice_id: 40003, amount: 3_000 },
        { invoice_id: 40001, amount: 4_000 },
      ],
      unallocated_amount: 0,
    })
    expect(suggest(5_000, 'payment 40003').reason).toBe('AMOUNT')
  })

  test('takes the only invoice that owes exactly this amount, the nearest due date first', () => {
    expect(suggest(5_000).allocations).toEqual([{ invoice_id: 40004, amount: 5_000 }])
    expect(suggest(5_000, null, '2026-02-02').allocations).toEqual([{ invoice_id: 40001, amount: 5_000 }])
  })

  test('takes consecutive invoices that owe exactly this amount, the oldest first', () => {
    expect(suggest(10_000)).toMatchObject({ reason: 'RUN', unallocated_amount: 0 })
    expect(suggest(10_000).allocations.map((part) => part.invoice_id)).toEqual([40002, 40003])
    expect(suggest(20_000).reason).toBe('RUN')
  })

  test('otherwise takes the oldest', () => {
    expect(suggest(6_000)).toMatchObject({ reason: 'OLDEST', unallocated_amount: 0 })
    expect(suggest(90_000)).toMatchObject({ reason: 'OLDEST', unallocated_amount: 70_000 })
    expect(suggest(0).allocations).toEqual([])
    expect(suggest(-500, 'INV-40001')).toEqual({ reason: 'OLDEST', allocations: [], unallocated_amount: -500 })
  })

  test('parses numbers as written by people and banks, and no other digits', () => {
    expect([...numbersIn('INV-12, inv 0013; Invoice #14 INVOICE NO. 15 inv16')]).toEqual(['12', '13', '14', '15', '16'])
    expect([...numbersIn('CASINV-12 1234 REP-9 investment 7')]).toEqual([])
  })

  test('any suggestion loses no cent and exceeds no invoice', () => {
    const numbered = open.map((all) => all.map((each) => ({ ...each, number: `INV-${each.id}` })))
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200_000 }), numbered, fc.integer({ min: 1, max: 999 }), (amount, all, named) => {
        const match = suggestMatch({ amount, descriptor: `INV-${named}`, date: '2026-02-10' }, all)
        expect(sum(match.allocations.map((part) => part.amount)) + match.unallocated_amount).toBe(amount)
        for (const part of match.allocations) {
          const owed = all.find((each) => each.id === part.invoice_id)?.outstanding_amount ?? 0
          expect(part.amount).toBeLessThanOrEqual(owed)
          expect(part.amount).toBeGreaterThan(0)
        }
        expect(new Set(match.allocations.map((part) => part.invoice_id)).size).toBe(match.allocations.length)
      }),
    )
  })
})

describe('a return', () => {
  test('takes the unallocated amount first, then a share of each invoice', () => {
    const parts = [
      { invoice_id: 1, amount: 5_000 },
      { invoice_id: 2, amount: 3_000 },
      { invoice_id: 3, amount: 2_000 },
    ]
    expect(shareReturn(1_500, parts, 500)).toEqual({
      unallocated_amount: 500,
      allocations: [
        { invoice_id: 1, amount: 500 },
        { invoice_id: 2, amount: 300 },
        { invoice_id: 3, amount: 200 },
      ],
    })
    expect(() => shareReturn(10_501, parts, 500)).toThrow(RangeError)
    expect(() => shareReturn(-1, parts, 500)).toThrow(RangeError)
    expect(shareReturn(500, [], 500)).toEqual({ unallocated_amount: 500, allocations: [] })
  })

  test('never takes more of a part than it has, and adds up over several returns', () => {
    const amounts = fc.array(cents, { minLength: 1, maxLength: 10 })
    fc.assert(
      fc.property(amounts, fc.nat({ max: 10_000 }), fc.array(fc.nat({ max: 100 }), { maxLength: 5 }), (had, spare, percents) => {
        let parts = had.map((amount, index) => ({ invoice_id: index, amount }))
        let unallocated = spare
        for (const percent of [...percents, 100]) {
          const left = sum(parts.map((part) => part.amount)) + unallocated
          const amount = Math.floor((left * percent) / 100)
          const shares = shareReturn(amount, parts, unallocated)
          expect(sum(shares.allocations.map((part) => part.amount)) + shares.unallocated_amount).toBe(amount)
          unallocated -= shares.unallocated_amount
          parts = parts.map((part, index) => ({ ...part, amount: part.amount - (shares.allocations[index]?.amount ?? 0) }))
          for (const part of parts) expect(part.amount).toBeGreaterThanOrEqual(0)
          expect(unallocated).toBeGreaterThanOrEqual(0)
        }
        expect(sum(parts.map((part) => part.amount)) + unallocated).toBe(0)
      }),
    )
  })
})
