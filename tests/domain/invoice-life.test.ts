import { describe, expect, test } from 'vitest'
import { type InvoiceStatus, invoiceStatuses } from '#domain/invoice.ts'
import { afterMoney, factsAfterReturn, mayMove, type MoneyFacts } from '#domain/invoice-life.ts'

const leaving = (status: InvoiceStatus, outstanding: number, more: Partial<MoneyFacts> = {}) =>
  afterMoney({
    status,
    outstanding,
    inFlight: 0,
    unanswered: 0,
    awaited: false,
    closedByHand: false,
    debit: null,
    refund: null,
    ...more,
  })

describe('the invoice status after a payment', () => {
  test('[INV-018] nothing outstanding closes an invoice, unless the result of a debit is pending', () => {
    for (const outstanding of [0, -1]) {
      const closed = invoiceStatuses.values.filter((status) => leaving(status, outstanding) === 'CLOSED')
      expect(closed).toEqual(
        expect.arrayContaining(['DEDUCTION_APPROVED', 'SCHEDULED', 'SENT', 'RETURNED', 'PARTIALLY_RETURNED', 'CLOSED']),
      )
      expect(closed).not.toContain('DRAFT')
      expect(closed).not.toContain('ON_DEDUCTION_FILE')
      expect(leaving('PROCESSING', outstanding, { debit: 'IN_FLIGHT', inFlight: 9, unanswered: 9, awaited: true })).toBe(
        'PROCESSING',
      )
      expect(leaving('PROCESSING', outstanding)).toBe('CLOSED')
    }
  })

  test.each([
    ['nothing was debited, or it settled', null, 'SENT'],
    ['a debit is dated and not submitted', 'DATED', 'SCHEDULED'],
    ['one is in flight', 'IN_FLIGHT', 'PROCESSING'],
    ['the last one came back', 'BACK', 'RETURNED'],
    ['the last one came back in part', 'PARTLY_BACK', 'PARTIALLY_RETURNED'],
  ] as const)('[INV-008] [INV-009] an automatic close that is no longer covered is reverted: %s', (_, debit, status) => {
    expect(leaving('CLOSED', 1, { debit })).toBe(status)
    expect(leaving('CLOSED', 1, { debit, closedByHand: true })).toBe('CLOSED')
    expect(leaving('CLOSED', 0, { debit })).toBe('CLOSED')
  })

  test('a returned debit leaves the invoice returned, partially returned, or paid by hand', () => {
    expect(leaving('PROCESSING', 1, { debit: 'BACK' })).toBe('RETURNED')
    expect(leaving('PROCESSING', 1, { debit: 'PARTLY_BACK' })).toBe('PARTIALLY_RETURNED')
    expect(leaving('PROCESSING', 0, { debit: 'BACK' })).toBe('CLOSED')
  })

  test('[INV-009] a Sent invoice is returned with its debit, unless a person collects it', () => {
    expect(leaving('SENT', 1, { debit: 'BACK', comesBack: 'first' })).toBe('RETURNED')
    expect(leaving('SENT', 1, { debit: 'PARTLY_BACK', comesBack: 'first' })).toBe('PARTIALLY_RETURNED')
    expect(leaving('SENT', 0, { debit: 'PARTLY_BACK', comesBack: 'first' })).toBe('CLOSED')
    expect(leaving('SENT', 1, { debit: 'BACK', comesBack: 'again' })).toBe('SENT')
    expect(leaving('SENT', 1, { debit: 'BACK' })).toBe('SENT')
  })

  test('[INV-021] a refund waits; absorbed it leaves REFUNDED, or CLOSED while something is still overpaid', () => {
    for (const outstanding of [0, -5])
      expect(leaving('REFUND_IN_PROGRESS', outstanding, { refund: 'WAITING' })).toBe('REFUND_IN_PROGRESS')
    expect(leaving('REFUND_IN_PROGRESS', 0, { refund: 'ABSORBED' })).toBe('REFUNDED')
    expect(leaving('REFUND_IN_PROGRESS', -5, { refund: 'ABSORBED' })).toBe('CLOSED')
    expect(leaving('REFUND_IN_PROGRESS', -5)).toBe('CLOSED')
    expect(leaving('REFUNDED', 0, { refund: 'ABSORBED' })).toBe('REFUNDED')
    expect(leaving('REFUNDED', 5, { refund: 'ABSORBED', debit: 'BACK' })).toBe('RETURNED')
  })

  test('for any facts it is a defined transition', () => {
    const debits = [null, 'DATED', 'IN_FLIGHT', 'BACK', 'PARTLY_BACK'] as const
    for (const status of invoiceStatuses.values)
      for (const debit of debits)
        for (const outstanding of [-1, 0, 1])
          for (const [inFlight, unanswered] of [
            [0, 0],
            [5, 5],
            [5, 0],
          ] as const)
            for (const refund of [null, 'WAITING', 'ABSORBED'] as const)
              for (const closedByHand of [false, true]) {
                // Only SCHEDULED has a debit date, and the debit is cancelled before leaving it.
                if (debit === 'DATED' && status !== 'SCHEDULED' && status !== 'CLOSED') continue
                const to = afterMoney({
                  status,
                  outstanding,
                  inFlight,
                  unanswered,
                  awaited: unanswered > 0,
                  debit,
                  refund,
                  closedByHand,
                })
                expect(to === status || mayMove(status, to), `${status} to ${to}`).toBe(true)
              }
  })
})

test('[INV-009] a return is judged by all debits of its invoice', () => {
  const alone = { stand: false, underWay: false }
  const back = { origin: 'ACH_ENTRY', debited_invoice_id: 1, first: true, whole: true }
  const whole = { debit: 'BACK', awaited: false, comesBack: 'first' }
  expect(factsAfterReturn(1, back, alone)).toEqual(whole)
  expect(factsAfterReturn(1, { ...back, debited_invoice_id: null }, alone)).toEqual(whole)
  expect(factsAfterReturn(1, { ...back, first: false }, alone)).toEqual({ ...whole, comesBack: 'again' })
  expect(factsAfterReturn(1, { ...back, whole: false }, alone)).toEqual({ ...whole, debit: 'PARTLY_BACK' })
  expect(factsAfterReturn(1, back, { ...alone, stand: true })).toEqual({ ...whole, debit: 'PARTLY_BACK' })
  expect(factsAfterReturn(1, back, { stand: true, underWay: true })).toEqual({})
  expect(factsAfterReturn(2, back, alone)).toEqual({})
  expect(factsAfterReturn(1, { ...back, origin: 'USER' }, alone)).toEqual({})
})

test('[INV-016] [INV-017] no invoice becomes a draft again, and every status has a transition', () => {
  for (const status of invoiceStatuses.values) {
    expect(mayMove(status, 'DRAFT')).toBe(false)
    expect(invoiceStatuses.values.some((to) => mayMove(status, to))).toBe(true)
    if (status !== 'DRAFT') expect(invoiceStatuses.values.some((from) => mayMove(from, status))).toBe(true)
  }
  expect(mayMove('SENT', 'CLOSED')).toBe(true)
  expect(mayMove('CLOSED', 'SENT')).toBe(true)
})
