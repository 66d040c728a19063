import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { suggestibleAmount } from '#domain/invoice-line.ts'
import {
  canApprove,
  canDecide,
  canReverse,
  canUndo,
  commentLimit,
  validateApproval,
  validateReason,
  validateRoom,
  validateSuggestion,
  writeOffReasonLabels,
  writeOffReasons,
  writeOffStatuses,
} from '#domain/write-off.ts'

const line = { original_amount: 10_000, writeoff_amount: 4_000, pending_amount: 0 }
const waiting = { status: 'PENDING', suggested_amount: 5_000, suggested_by: 1 }

describe('a suggestion', () => {
  test('[WOF-001] needs a reason from the list', () => {
    for (const reason of [null, undefined, '', 'BECAUSE', 'constructor'])
      expect(validateSuggestion({ amount: 1, reason }, line)?.sentence).toBe('A reason is required.')
    for (const reason of writeOffReasons) {
      expect(validateSuggestion({ amount: 1, reason }, line)).toBeNull()
      expect(writeOffReasonLabels[reason]).not.toBe('')
    }
  })

  test('is above 0, at most what the line owes, and one at a time', () => {
    const suggest = (amount: number, more = {}) => validateSuggestion({ amount, reason: 'FRAUD' }, { ...line, ...more })
    expect(suggest(6_000)).toBeNull()
    expect(suggest(6_001)?.code).toBe('above-outstanding')
    for (const amount of [0, -1]) expect(suggest(amount)?.code).toBe('not-positive')
    expect(suggest(0.5)?.code).toBe('amount-invalid')
    expect(suggest(1, { pending_amount: 1 })?.code).toBe('suggestion-waiting')
    expect(suggest(1, { writeoff_amount: 10_000 })?.code).toBe('above-outstanding')
  })

  test('reduces an invoice at most to 0 if credit rolled in', () => {
    expect(validateRoom(7_000, { invoice_amount: 7_000 })).toBeNull()
    expect(validateRoom(7_001, { invoice_amount: 7_000 })?.code).toBe('above-outstanding')
  })

  test('a line owes what is neither written off nor suggested, and at least 0', () => {
    expect(suggestibleAmount({ ...line, pending_amount: 1_000 })).toBe(5_000)
    expect(suggestibleAmount({ ...line, pending_amount: 9_000 })).toBe(0)
  })

  test('[WOF-006] a comment has at most 500 characters', () => {
    expect(commentLimit).toBe(500)
    expect(validateReason({ reason: 'OTHER', comment: 'x'.repeat(500) })).toBeNull()
    expect(validateReason({ reason: 'OTHER', comment: 'x'.repeat(501) })?.code).toBe('comment-too-long')
  })
})

describe('a decision', () => {
  test('[WOF-002] cannot exceed the suggested amount', () => {
    expect(validateApproval(waiting, 5_000, 2, false)).toBeNull()
    expect(validateApproval(waiting, 5_001, 2, false)?.sentence).toBe('The approved amount cannot exceed the suggested amount.')
  })

  test('[WOF-003, WOF-004] cannot be zero or negative', () => {
    for (const amount of [0, -1])
      expect(validateApproval(waiting, amount, 2, false)?.sentence).toBe('The approved amount cannot be zero or negative.')
    expect(validateApproval(waiting, 1.5, 2, false)?.code).toBe('amount-invalid')
  })

  test('is made by another person, except by a super-admin', () => {
    expect(validateApproval(waiting, 1, 1, false)?.sentence).toBe('Somebody else has to approve what you suggested.')
    expect(validateApproval(waiting, 1, 1, true)).toBeNull()
    expect(validateApproval({ ...waiting, suggested_by: null }, 1, 1, false)).toBeNull()
  })

  test('is made once, and only an approved one is undone, once', () => {
    expect(writeOffStatuses.values.filter((status) => canDecide({ status }) === null)).toEqual(['PENDING'])
    expect(writeOffStatuses.values.filter((status) => canReverse({ status }) === null)).toEqual(['APPROVED'])
    expect(validateApproval({ ...waiting, status: 'REJECTED' }, 1, 2, true)?.sentence).toBe('This write-off is already rejected.')
    expect(Object.values(writeOffStatuses.labels)).toEqual(['Pending', 'Approved', 'Rejected', 'Reversed'])
  })

  test('waits for an invoice that allows it', () => {
    const open = { status: 'PENDING', invoice_status: 'SENT', own: false }
    expect(canApprove(open)).toBeNull()
    expect(canApprove({ ...open, own: true })?.code).toBe('own-suggestion')
    expect(canApprove({ ...open, invoice_status: 'CLOSED' })?.sentence).toBe('Actions unavailable when in Paid.')
    expect(canApprove({ ...open, invoice_status: 'PROCESSING' })?.code).toBe('submission-made')
    expect(canApprove({ ...open, status: 'REJECTED' })?.code).toBe('already-decided')
    expect(canUndo({ status: 'APPROVED', invoice_status: 'SENT' })).toBeNull()
    expect(canUndo({ status: 'APPROVED', invoice_status: 'CLOSED' })).toEqual({
      code: 'status-forbids',
      sentence: 'Reopen the invoice first. A write-off of a Paid invoice cannot be reversed.',
    })
    expect(canUndo({ status: 'APPROVED', invoice_status: 'REFUNDED' })?.sentence).toBe('Actions unavailable when in Refunded.')
    expect(canUndo({ status: 'PENDING', invoice_status: 'SENT' })?.code).toBe('not-approved')
  })

  test('[WOF-002, WOF-003, WOF-004] accepts exactly 1 cent to the suggested amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: -100, max: 11_000 }), (suggested_amount, amount) => {
        const refusal = validateApproval({ ...waiting, suggested_amount }, amount, 2, false)
        expect(refusal === null).toBe(amount >= 1 && amount <= suggested_amount)
      }),
    )
  })
})
