import { describe, expect, test } from 'vitest'
import {
  canCancelPasswordChange,
  canForcePasswordChange,
  canPause,
  canResume,
  canTerminateOffCycle,
  canUnlink,
  type EmployeeFacts,
  employeeStatuses,
  whyNotUnpause,
} from '#domain/employee.ts'

const linked = (status: string, more: Partial<EmployeeFacts> = {}): EmployeeFacts => ({
  status,
  user_id: 7,
  user: { force_password_change: false },
  balance: { pending_amount: 0 },
  ...more,
})

/** Copied from docs/rules/employees.md, row by row. */
const table: Record<string, { pause: boolean; resume: boolean; offCycle: boolean; unlink: boolean }> = {
  IMPORTED: { pause: true, resume: false, offCycle: false, unlink: false },
  CREATED: { pause: true, resume: false, offCycle: false, unlink: false },
  ELIGIBLE: { pause: true, resume: false, offCycle: true, unlink: false },
  ACTIVE: { pause: true, resume: false, offCycle: true, unlink: true },
  INELIGIBLE: { pause: false, resume: false, offCycle: true, unlink: true },
  PAUSED: { pause: false, resume: true, offCycle: true, unlink: true },
  TERMINATED: { pause: false, resume: false, offCycle: true, unlink: true },
  OFFCYCLE_PAID: { pause: false, resume: false, offCycle: false, unlink: false },
  DELETED: { pause: false, resume: false, offCycle: false, unlink: false },
  DUPLICATED: { pause: false, resume: false, offCycle: false, unlink: false },
  UNKNOWN: { pause: false, resume: false, offCycle: false, unlink: false },
}

describe('what a status allows', () => {
  test.each(employeeStatuses.values)('[EMP-001, EMP-004, EMP-008, EMP-011] %s', (status) => {
    const rule = table[status]
    expect(rule).toBeDefined()
    expect(canPause(linked(status)) === null).toBe(rule?.pause)
    expect(canResume(linked(status)) === null).toBe(rule?.resume)
    expect(canTerminateOffCycle(linked(status)) === null).toBe(rule?.offCycle)
    expect(canUnlink(linked(status)) === null).toBe(rule?.unlink)
  })

  test('refusals name the status by its label', () => {
    expect(canPause(linked('PAUSED'))?.sentence).toBe('Already paused.')
    expect(canPause(linked('OFFCYCLE_PAID'))?.sentence).toBe('Actions unavailable when in Off-cycle paid.')
    expect(canResume(linked('ACTIVE'))?.sentence).toBe('Actions unavailable when in Active.')
  })

  test('an unmapped status allows nothing', () => {
    expect(canPause(linked('SOMETHING_NEW'))?.sentence).toBe('Actions unavailable when in SOMETHING_NEW.')
  })
})

describe('unlink', () => {
  test('is refused without a user, and while a transaction is pending', () => {
    expect(canUnlink(linked('ACTIVE', { user_id: null }))?.code).toBe('not-linked')
    expect(canUnlink(linked('ACTIVE', { balance: { pending_amount: 1 } }))?.code).toBe('transaction-pending')
    expect(canUnlink(linked('ACTIVE', { balance: null }))).toBeNull()
  })
})

describe('password change', () => {
  test('[PERM-029] is blocked if the employee is not linked to a user', () => {
    expect(canForcePasswordChange(linked('ACTIVE', { user_id: null, user: null }))?.code).toBe('not-linked')
    expect(canCancelPasswordChange(linked('ACTIVE', { user_id: null, user: null }))?.code).toBe('not-linked')
  })
  test('[PERM-030] is blocked if the employee is paused', () => {
    expect(canForcePasswordChange(linked('PAUSED'))?.code).toBe('employee-paused')
  })
  test('[EMP-009, EMP-010] is forced once and cancelled once', () => {
    const forced = linked('ACTIVE', { user: { force_password_change: true } })
    expect(canForcePasswordChange(linked('ACTIVE'))).toBeNull()
    expect(canForcePasswordChange(forced)?.code).toBe('password-change-already-forced')
    expect(canCancelPasswordChange(forced)).toBeNull()
    expect(canCancelPasswordChange(linked('ACTIVE'))?.code).toBe('password-change-not-forced')
  })
})

describe('can-unpause', () => {
  const good = { status: 'PAUSED', employer_active: true, kyc_status: 'APPROVED', unrecovered_amount: 0 }
  test('[EMP-006] returns every reason against it', () => {
    expect(whyNotUnpause(good)).toEqual([])
    expect(whyNotUnpause({ ...good, employer_active: false })).toEqual(['The employer is inactive.'])
    expect(whyNotUnpause({ ...good, kyc_status: 'DENIED', unrecovered_amount: 1 })).toHaveLength(2)
    expect(whyNotUnpause({ ...good, status: 'TERMINATED' })).toEqual(['Actions unavailable when in Terminated.'])
  })
})
