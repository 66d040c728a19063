import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { newPassword } from '#contract/authentication.ts'
import { inTurn, type Place, placeOf } from '#server/limits/hash-queue.ts'
import { hashPassword, verifyPassword } from '#server/auth/password.ts'

const cost = { memory: 64, passes: 1 }

const messageFor = (password: unknown) => newPassword.safeParse(password).error?.issues[0]?.message

describe('the rules for a new password', () => {
  test('[AUTH-009] it is required', () => {
    expect(messageFor('')).toBe('This is a required field.')
    expect(messageFor(undefined)).toBe('This is a required field.')
  })
  test('[AUTH-010] it has at least 8 characters', () => {
    expect(messageFor('Aa1!aaa')).toBe('The password needs at least 8 characters.')
    expect(messageFor('Aa1!aaaa')).toBeUndefined()
  })
  test('[AUTH-011] it has a lowercase letter', () =>
    expect(messageFor('AAAAAA1!')).toBe('The password needs 1 lowercase letter.'))
  test('[AUTH-012] it has an uppercase letter', () =>
    expect(messageFor('aaaaaa1!')).toBe('The password needs 1 uppercase letter.'))
  test('[AUTH-013] it has a number', () => expect(messageFor('Aaaaaaa!')).toBe('The password needs 1 number.'))
  test('[AUTH-014] it has a special character', () => {
    expect(messageFor('Aaaaaaa1')).toBe('The password needs 1 special character.')
    expect(messageFor('Aaaaaa 1')).toBe('The password needs 1 special character.')
  })
})

describe('the hash of a password', () => {
  test('verifies its own password only', async () => {
    const hash = await hashPassword('Portal-Demo-1', cost)
    expect(await verifyPassword('Portal-Demo-1', hash, cost)).toBe(true)
    expect(await verifyPassword('portal-Demo-1', hash, cost)).toBe(false)
    expect(await verifyPassword('', hash, cost)).toBe(false)
  })
  test('contains its cost, so that a higher cost keeps old hashes valid', async () => {
    const hash = await hashPassword('Portal-Demo-1', cost)
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
    expect(await verifyPassword('Portal-Demo-1', hash, { memory: 128, passes: 2 })).toBe(true)
  })
  test('differs each time', async () => {
    expect(await hashPassword('Portal-Demo-1', cost)).not.toBe(await hashPassword('Portal-Demo-1', cost))
  })
  test('of an unknown person never matches', async () => {
    expect(await verifyPassword('', null, cost)).toBe(false)
    expect(await verifyPassword('Portal-Demo-1', 'nonsense', cost)).toBe(false)
  })
  test('accepts any letters of a keyboard, composed or not', async () => {
    const hash = await hashPassword('Pässwort-1', cost)
    expect(await verifyPassword('Pa\u0308sswort-1', hash, cost)).toBe(true)
  })
})

describe('the queue of hashes', () => {
  const place = (address: string, known = false) => placeOf({ address, device: null }, known ? 'known' : 'strangers')
  /** Requests turns in this order; returns the order in which they were granted, since hashes finish in any order. */
  async function orderOf(places: readonly [name: string, Place][]): Promise<string[]> {
    const order: string[] = []
    await Promise.allSettled(
      places.map(async ([name, where]) => {
        await inTurn(where, () => {
          order.push(name)
          return setImmediate()
        })
      }),
    )
    return order
  }
  const flood = (name: string, address: string, count: number) =>
    Array.from({ length: count }, (): [string, Place] => [name, place(address)])

  test('takes 50 from one network while one is running, and refuses the rest before hashing', async () => {
    const results = await Promise.allSettled(Array.from({ length: 80 }, () => hashPassword('x', cost, place('203.0.113.1'))))
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(29)
    expect(refused[0]).toMatchObject({ reason: { status: 503, code: 'unavailable' } })
    expect(await verifyPassword('x', await hashPassword('x', cost), cost, place('203.0.113.1'))).toBe(true)
  })

  test('serves other networks and known devices before the flood of one network', async () => {
    const order = await orderOf([
      ...flood('flood', '203.0.113.1', 40),
      ['another', place('198.51.100.1')],
      ['known', place('203.0.113.1', true)],
    ])
    expect(order.indexOf('another')).toBeLessThan(4)
    expect(order.indexOf('known')).toBeLessThan(4)
    expect(order).toHaveLength(42)
  })

  test('serves SFTP users from their known networks before strangers, but after known devices', async () => {
    const order = await orderOf([
      ['person', place('198.51.100.1', true)],
      ['colleague', place('198.51.100.1', true)],
      ...flood('flood', '203.0.113.1', 40),
      ['files', placeOf({ address: '203.0.113.1', device: null }, 'files')],
      ['known', place('203.0.113.1', true)],
    ])
    expect(order.slice(2, 4)).toEqual(['known', 'files'])
  })

  test('serves other neighbourhoods before 254 addresses of one, and a neighbour before one flood', async () => {
    const block = Array.from({ length: 254 }, (_, index): [string, Place] => ['flood', place(`203.0.113.${index + 1}`)])
    const order = await orderOf([...block, ['another', place('198.51.100.1')]])
    expect(order.indexOf('another')).toBeLessThan(8)
    const next = await orderOf([...flood('flood', '203.0.113.1', 40), ['neighbour', place('203.0.113.2')]])
    expect(next.indexOf('neighbour')).toBeLessThan(4)
  })
})
