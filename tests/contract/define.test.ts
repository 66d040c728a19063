import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { action, type AnyIntent, collect, endpoint, fill, intent, intentOf } from '#contract/define.ts'
import { pause, resume } from '#contract/employee-changes.ts'
import { cancelPasswordChange, forcePasswordChange } from '#contract/password-changes.ts'
import { all, any, byIntent, byTarget, may } from '#domain/permissions.ts'

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

  test('without literals is found by the fields that only it has', () => {
    const write = endpoint({
      method: 'PATCH',
      path: '/things/{id}',
      summary: 'Change a thing',
      tag: 'Things',
      params: z.object({ id: z.string() }),
      query: z.object({}),
      answer: z.object({}),
      needs: byIntent,
    })
    const by = (id: string, body: z.ZodObject) => intent(write, { id, body, needs: all('write:employees'), event: 'Changed' })
    const name = by('thing.name', z.object({ name: z.string(), version: z.int() }))
    const pay = by('thing.pay', z.object({ rate: z.int(), day: z.string(), version: z.int() }))
    const off = by('thing.off', z.object({ on: z.literal(false), version: z.int() }))
    const intents = [name, pay, off] as unknown as AnyIntent[]
    expect(intentOf(intents, { name: 'A', version: 1 })).toBe(name)
    expect(intentOf(intents, { rate: 1, day: '2026-11-02', version: 1 })).toBe(pay)
    expect(intentOf(intents, { day: '2026-11-02' })).toBe(pay)
    expect(intentOf(intents, { on: false, version: 1 })).toBe(off)
    expect(intentOf(intents, { on: true, name: 'A' })).toBeUndefined()
    expect(intentOf(intents, {})).toBe(name)
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

describe('an action', () => {
  const call = { summary: 'A thing', tag: 'Things', answer: z.object({}), needs: all('write:employees'), event: 'Changed' }

  test('is an intent with an endpoint of its own, which has no permission but that of the intent', () => {
    const rename = action({
      ...call,
      method: 'PUT',
      path: '/things/{id}',
      id: 'thing.rename',
      body: z.object({ name: z.string() }),
    })
    expect(rename.endpoint).toMatchObject({ method: 'PUT', path: '/things/{id}', needs: byIntent, extension: false, status: 200 })
    expect(Object.keys(rename.endpoint.params.shape)).toEqual(['id'])
    expect(rename({ id: 5 }, { name: 'A' })).toMatchObject({ at: { id: '5' }, body: { name: 'A' } })
    expect(collect([{ rename }])).toEqual({ endpoints: [rename.endpoint], intents: [rename] })
  })

  test('that deletes has its version as a parameter', () => {
    const body = z.object({ version: z.int() })
    const drop = action({ ...call, method: 'DELETE', path: '/things/{id}', id: 'thing.drop', body })
    expect(Object.keys(drop.endpoint.query.shape)).toEqual(['version'])
    const save = action({ ...call, method: 'PUT', path: '/things', id: 'thing.save', body })
    expect(Object.keys(save.endpoint.query.shape)).toEqual([])
    expect(Object.keys(save.endpoint.params.shape)).toEqual([])
  })
})

describe('a path', () => {
  test('is filled in and encoded', () => {
    expect(fill('/employees/{id}/events', { id: 'a/b' })).toBe('/employees/a%2Fb/events')
    expect(() => fill('/employees/{id}', {})).toThrow('needs id')
  })
})

describe('a type error', () => {
  const nothing = z.object({})
  const read = { method: 'GET', path: '/a', summary: 'A', tag: 'A', params: nothing, query: nothing, answer: nothing } as const

  test('an endpoint without `needs`', () => {
    // @ts-expect-error: `needs` is missing
    const silent = endpoint(read)
    expect(silent.needs).toBeUndefined()
    expect(endpoint({ ...read, needs: all('read:billing') }).needs).toEqual({ kind: 'all', names: ['read:billing'] })
  })

  test('an empty need', () => {
    // @ts-expect-error: everybody holds all of no permissions
    const everybody = all()
    // @ts-expect-error: nobody holds one of no permissions
    const nobody = any()
    // @ts-expect-error: a target decides between permissions
    const undecided = byTarget([], () => all('read:billing'))
    // @ts-expect-error: nor is a possibly empty list enough
    const perhaps = all(...([] as 'read:billing'[]))
    expect([everybody, nobody, undecided, perhaps].map((need) => 'names' in need && need.names)).toEqual([[], [], [], []])
  })

  test('a call with several intents has no permission of its own', () => {
    expect(may(new Set([1, 2, 9]), byIntent)).toBe('no')
  })
})
