import { describe, expect, test } from 'vitest'
import {
  afterConfirmation,
  afterDelivery,
  canApprove,
  canConfirm,
  canDeliver,
  deductionStatuses,
  validateIdentifiers,
  validateWithheld,
} from '#domain/deduction.ts'

describe('a deduction', () => {
  test.each([
    ['DED-001', 'PENDING', 'Pending'],
    ['DED-002', 'APPROVED', 'Approved'],
    ['DED-003', 'DELIVERED', 'Delivered'],
    ['DED-004', 'WAITING_CONFIRMATION', 'Waiting confirmation'],
  ] as const)('[%s] %s is read as %s', (_, status, label) => {
    expect(deductionStatuses.values).toContain(status)
    expect(deductionStatuses.label(status)).toBe(label)
  })

  test('[DED-005] is approved only while it is pending', () => {
    const able = deductionStatuses.values.filter((status) => canApprove({ status, pending_write_offs: 0 }) === null)
    expect(able).toEqual(['PENDING'])
    expect(canApprove({ status: 'DELIVERED', pending_write_offs: 0 })?.sentence).toBe('Actions unavailable when in Delivered.')
  })

  test('[DED-006] is not approved while write-offs are pending', () => {
    expect(canApprove({ status: 'PENDING', pending_write_offs: 1 })).toEqual({
      code: 'write-offs-pending',
      sentence: 'Approve is not possible while write-offs are pending.',
    })
  })

  test('is delivered when approved, and confirmed while waiting for confirmation', () => {
    expect(deductionStatuses.values.filter((status) => canDeliver({ status }) === null)).toEqual(['APPROVED'])
    expect(deductionStatuses.values.filter((status) => canConfirm({ status }) === null)).toEqual(['WAITING_CONFIRMATION'])
    expect(afterDelivery(true)).toBe('WAITING_CONFIRMATION')
    expect(afterDelivery(false)).toBe('DELIVERED')
    expect(afterConfirmation(false)).toBe('WAITING_CONFIRMATION')
    expect(afterConfirmation(true)).toBe('DELIVERED')
  })

  test('names every employee by the identifier configured for its file', () => {
    expect(validateIdentifiers([], 'employee code')).toBeNull()
    expect(validateIdentifiers(['Ann'], 'employee code')?.sentence).toBe(
      'The file names employees by employee code, which Ann does not have.',
    )
    expect(validateIdentifiers(['A', 'B', 'C', 'D'], 'id')?.sentence).toMatch('which A, B, C and 1 more do not have.')
  })

  test('is confirmed between 0 and the requested amount', () => {
    expect(validateWithheld(0, { amount: 100 })).toBeNull()
    expect(validateWithheld(100, { amount: 100 })).toBeNull()
    expect(validateWithheld(101, { amount: 100 })?.code).toBe('above-outstanding')
    expect(validateWithheld(-1, { amount: 100 })?.sentence).toBe('The withheld amount cannot be less than 0.')
  })
})
