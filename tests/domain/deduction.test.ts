import { describe, expect, test } from 'vitest'
import {
  afterConfirmation,
  afterDelivery,
  canApprove,
  canConfirm,
  canDeliver,
  deductionStatuses,
  deductionStatusLabels,
} from '#domain/deduction.ts'
import { labelOf } from '#domain/status.ts'

describe('a deduction', () => {
  test.each([
    ['DED-001', 'PENDING', 'Pending'],
    ['DED-002', 'APPROVED', 'Approved'],
    ['DED-003', 'DELIVERED', 'Delivered'],
    ['DED-004', 'WAITING_CONFIRMATION', 'Waiting confirmation'],
  ] as const)('[%s] %s is read as %s', (_, status, label) => {
    expect(deductionStatuses).toContain(status)
    expect(deductionStatusLabels[status]).toBe(label)
    expect(labelOf(status)).toBe(label)
  })

  test('[DED-005] is approved while it is pending, and only then', () => {
    const able = deductionStatuses.filter((status) => canApprove({ status, pending_write_offs: 0 }) === null)
    expect(able).toEqual(['PENDING'])
    expect(canApprove({ status: 'DELIVERED', pending_write_offs: 0 })?.sentence).toBe('Actions unavailable when in Delivered.')
  })

  test('[DED-006] is not approved while write-offs are pending', () => {
    expect(canApprove({ status: 'PENDING', pending_write_offs: 1 })).toEqual({
      code: 'write-offs-pending',
      sentence: 'Approve is not possible while write-offs are pending.',
    })
  })

  test('is delivered when approved, and confirmed while that is awaited', () => {
    expect(deductionStatuses.filter((status) => canDeliver({ status }) === null)).toEqual(['APPROVED'])
    expect(deductionStatuses.filter((status) => canConfirm({ status }) === null)).toEqual(['WAITING_CONFIRMATION'])
    expect(afterDelivery(true)).toBe('WAITING_CONFIRMATION')
    expect(afterDelivery(false)).toBe('DELIVERED')
    expect(afterConfirmation(false)).toBe('WAITING_CONFIRMATION')
    expect(afterConfirmation(true)).toBe('DELIVERED')
  })
})
