import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Entry, entryKinds, identityHolds, reversalOf, totalsOf, waitingCredit } from '#domain/ledger.ts'

const entry: fc.Arbitrary<Entry> = fc.record({
  kind: fc.constantFrom(...entryKinds),
  amount: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
  invoice_id: fc.constant(1),
})

describe('the ledger of an invoice', () => {
  test('[CONST-009] adds up to whole cents, by the definitions of the amounts', () => {
    const totals = totalsOf([
      { kind: 'ORIGINAL', amount: 10_000 },
      { kind: 'WRITE_OFF', amount: 1_000 },
      { kind: 'ROLLOVER_IN', amount: 500 },
      { kind: 'PAYMENT', amount: 9_000 },
      { kind: 'RETURN', amount: 2_000 },
      { kind: 'ROLLOVER_OUT', amount: 300 },
    ])
    expect(totals).toEqual({
      original_amount: 10_000,
      writeoff_amount: 1_000,
      rollover_in_amount: 500,
      rollover_out_amount: 300,
      paid_amount: 6_700,
      invoice_amount: 8_500,
      outstanding_amount: 1_800,
    })
    expect(waitingCredit([{ kind: 'ROLLOVER_OUT', amount: 300 }])).toBe(300)
  })

  test('the identity holds for every ledger, in every order, and notices one cent', () => {
    fc.assert(
      fc.property(fc.array(entry), fc.integer({ min: 1, max: 99 }), (entries, cent) => {
        const totals = totalsOf(entries)
        expect(identityHolds(totals)).toBe(true)
        expect(totalsOf([...entries].reverse())).toEqual(totals)
        expect(identityHolds({ ...totals, outstanding_amount: totals.outstanding_amount + cent })).toBe(false)
        expect(identityHolds({ ...totals, invoice_amount: totals.invoice_amount + cent })).toBe(false)
        expect(identityHolds({ ...totals, paid_amount: totals.paid_amount + 0.5 })).toBe(false)
      }),
    )
  })

  test('what undoes an entry leaves the totals as they were, and names it', () => {
    fc.assert(
      fc.property(fc.array(entry), entry, (before, done) => {
        const undone = reversalOf(done, 7)
        expect(totalsOf([...before, done, undone])).toEqual(totalsOf(before))
        expect(undone).toMatchObject({ kind: done.kind, reverses: 7 })
      }),
    )
  })

  test('an empty ledger owes nothing', () => {
    expect(Object.values(totalsOf([]))).toEqual([0, 0, 0, 0, 0, 0, 0])
  })
})
