import { describe, expect, test } from 'vitest'
import { type AdditionalTransactionFacts, canAddTransaction } from '#domain/additional-transaction.ts'
import { employeeStatuses } from '#domain/employee.ts'
import { availableOf, drawnBy, isGrantOpen, limitOf, requestsLeft } from '#domain/work-period.ts'

const terms = { withdraw_limit_type: 'PERCENTAGE', withdraw_limit_amount: 3_333, withdraw_amount_max: 500_00 } as const

test('[CONST-009] the limit is the share of earnings, rounded down, or the fixed amount, up to the maximum', () => {
  expect(limitOf(100_01, terms)).toBe(33_33)
  expect(limitOf(10_000_00, terms)).toBe(500_00)
  expect(limitOf(0, terms)).toBe(0)
  expect(limitOf(7, { ...terms, withdraw_limit_type: 'AMOUNT', withdraw_limit_amount: 80_00 })).toBe(80_00)
  // A missing or non-positive configuration counts as 0.
  expect(limitOf(100_00, { ...terms, withdraw_amount_max: 0 })).toBe(0)
  expect(limitOf(100_00, { ...terms, withdraw_limit_amount: -5 })).toBe(0)
})

test('[CONST-009] the available amount is the limit less taken and pending amounts, and at least 0', () => {
  expect(availableOf({ limit_amount: 100_00, taken_amount: 30_00, pending_amount: 20_00 })).toBe(50_00)
  expect(availableOf({ limit_amount: 100_00, taken_amount: 90_00, pending_amount: 20_00 })).toBe(0)
})

test('[TRX-001] [TRX-002] [TRX-003] [TRX-004] COMPLETE is taken, PENDING is pending, with fees; others do not count', () => {
  const each = (status: string) => ({ status, amount: 50_00, fee_amount: 2_99 })
  expect(drawnBy(['COMPLETE', 'COMPLETE', 'PENDING', 'FAIL', 'DELETED'].map(each))).toEqual({
    taken_amount: 105_98,
    pending_amount: 52_99,
  })
})

test('without a grant, the unused requests of the cycle are left', () => {
  const none = { granted: 0, used_before_grant: null }
  expect(requestsLeft({ per_cycle: 2, used: 1, ...none })).toBe(1)
  expect(requestsLeft({ per_cycle: 2, used: 3, ...none })).toBe(0)
  expect(isGrantOpen({ per_cycle: 2, used: 0, ...none })).toBe(false)
})

test.each([0, 1, 2, 5, 9])('a grant leaves exactly one request until it is used, with %i requests per cycle', (per_cycle) => {
  const given = { per_cycle, granted: 1, used_before_grant: 5 }
  expect([isGrantOpen({ ...given, used: 5 }), requestsLeft({ ...given, used: 5 })]).toEqual([true, 1])
  // The granted one is in addition to those of the cycle, also if their number is raised later.
  expect([isGrantOpen({ ...given, used: 6 }), requestsLeft({ ...given, used: 6 })]).toEqual([false, Math.max(0, per_cycle - 5)])
  // A request that failed since then can be repeated.
  expect([isGrantOpen({ ...given, used: 4 }), requestsLeft({ ...given, used: 4 })]).toEqual([true, 2])
})

describe('an additional transaction', () => {
  const cycle = { per_cycle: 1, granted: 0, used: 1, used_before_grant: null, report_date: '2026-01-09', today: '2026-01-09' }
  const able = {
    status: 'ACTIVE',
    user_id: 1,
    user: { kyc_status: 'APPROVED' },
    employer: { status: 'ACTIVE' },
    balance: {},
    cycle,
  } satisfies AdditionalTransactionFacts

  test('[EMP-007] is granted to an employee who has used every request', () => {
    expect(canAddTransaction(able)).toBeNull()
    expect(canAddTransaction({ ...able, cycle: { ...cycle, granted: 1, used: 2 } })).toBeNull()
  })

  test.each<[string, Partial<AdditionalTransactionFacts>, string]>([
    ['EMP-015', { cycle: { ...cycle, per_cycle: 2 } }, 'The employee has a transaction remaining.'],
    [
      'EMP-015',
      { cycle: { ...cycle, granted: 1, used_before_grant: 1 } },
      'An additional transaction was granted and is not used yet.',
    ],
    ['EMP-017', { balance: null }, 'The balance cannot be loaded.'],
    ['EMP-017', { cycle: null }, 'The balance cannot be loaded.'],
    ['EMP-016', { user_id: null }, 'This employee is not linked to a user.'],
    ['EMP-016', { user: { kyc_status: 'UNDER_REVIEW' } }, 'The identity check is not approved.'],
    ['EMP-016', { user: { kyc_status: null } }, 'The identity check is not approved.'],
    ['EMP-016', { employer: { status: 'INACTIVE' } }, 'The employer is inactive.'],
    ['EMP-016', { cycle: { ...cycle, today: '2026-01-10' } }, 'The report date of this pay period has passed.'],
  ])('[%s] is refused for %j', (_, facts, sentence) => {
    expect(canAddTransaction({ ...able, ...facts })?.sentence).toBe(sentence)
  })

  test('[EMP-016] is refused in every status but ACTIVE', () => {
    for (const status of [...employeeStatuses.values, null].filter((each) => each !== 'ACTIVE'))
      expect(canAddTransaction({ ...able, status })?.sentence).toBe(
        `Actions unavailable when in ${employeeStatuses.label(status)}.`,
      )
  })
})
