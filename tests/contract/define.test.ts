import { describe, expect, test } from 'vitest'
import { fill, intentOf } from '#contract/define.ts'
import { pause, resume } from '#contract/employees.ts'
import { cancelPasswordChange, forcePasswordChange } from '#contract/users.ts'

describe('an intent', () => {
  test('fills in the literal fields of its body', () => {
    const call = pause({ id: 7 }, { reason: 'Rate under review', version: 3 })
    expect(call.body).toEqual({ status: 'PAUSED', reason: 'Rate under review', version: 3 })
    expect(call.intent).toBe(pause)
  })

  test('is found by the body of a request', () => {
    expect(intentOf([pause, resume], { status: 'PAUSED' })).toBe(pause)
    expect(intentOf([pause, resume], { status: 'ACTIVE', reason: 'x' })).toBe(resume)
    expect(intentOf([forcePasswordChange, cancelPasswordChange], { force_password: false })).toBe(cancelPasswordChange)
    expect(intentOf([pause, resume], { status: 'DELETED' })).toBeUndefined()
    expect(intentOf([pause, resume], null)).toBeUndefined()
  })

  test('[EMP-002, EMP-003, EMP-005] says which fields are needed', () => {
    const reason = pause.body.safeParse({ status: 'PAUSED', version: 1 })
    expect(reason.error?.issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([
      ['reason', 'This is a required field.'],
    ])
    expect(pause.body.safeParse({ status: 'PAUSED', reason: 'Rate', version: 1 }).success).toBe(true)
    expect(pause.body.safeParse({ status: 'PAUSED', reason: '  ', version: 1 }).success).toBe(false)
    expect(resume.body.safeParse({ status: 'ACTIVE', notes: 'Confirmed by payroll', version: 1 }).success).toBe(true)
  })
})

describe('a path', () => {
  test('is filled in and encoded', () => {
    expect(fill('/employees/{id}/events', { id: 'a/b' })).toBe('/employees/a%2Fb/events')
    expect(() => fill('/employees/{id}', {})).toThrow('needs id')
  })
})
