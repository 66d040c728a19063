import { describe, expect, test } from 'vitest'
import { sixDigits } from '#contract/authentication.ts'
import { codeOfStep, newTotpSecret, nextUnusedCode, otpauthAddress, stepAt, stepOfCode } from '#server/auth/totp.ts'

/** '12345678901234567890' in base32: the secret of RFC 6238's test vectors. */
const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const at = (seconds: number) => new Date(seconds * 1000)

describe('two-factor codes', () => {
  test.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1234567890, '005924'],
    [20000000000, '353130'],
  ])('are those of RFC 6238 at second %i', (seconds, code) => {
    expect(codeOfStep(rfcSecret, stepAt(at(seconds)))).toBe(code)
    expect(stepOfCode(rfcSecret, code, at(seconds))).toBe(Math.floor(seconds / 30))
  })
  test('are accepted one step before and after, and no further', () => {
    const now = at(30_000)
    const accepted = [-2, -1, 0, 1, 2].filter(
      (away) => stepOfCode(rfcSecret, codeOfStep(rfcSecret, 1000 + away), now) === 1000 + away,
    )
    expect(accepted).toEqual([-1, 0, 1])
  })
  test('a secret has 20 random bytes, and its URI names the portal and the account', () => {
    const secret = newTotpSecret()
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(newTotpSecret()).not.toBe(secret)
    const address = new URL(otpauthAddress(secret, 'priya.raman@example.com'))
    expect(address.protocol).toBe('otpauth:')
    expect(decodeURIComponent(address.pathname)).toContain('Admin Portal:priya.raman@example.com')
    expect(Object.fromEntries(address.searchParams)).toEqual({
      issuer: 'Admin Portal',
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
  test.each([
    ['never used', null, 1000, 50, 0],
    ['used before', 990, 1000, 50, 0],
    ['used in this step', 1000, 1001, 80, 0],
    ['used in the next step already', 1001, 1002, 110, 20],
  ])('the next unused code, %s', (_, lastStep, step, seconds, wait) => {
    const now = at(30_010)
    expect(nextUnusedCode(rfcSecret, lastStep, now)).toEqual({ code: codeOfStep(rfcSecret, step), seconds, wait })
    expect(stepOfCode(rfcSecret, codeOfStep(rfcSecret, step), at(30_010 + wait))).toBe(step)
  })
  test('[AUTH-015] a code is required', () => {
    expect(sixDigits.safeParse('').error?.issues[0]?.message).toBe('This is a required field.')
    expect(sixDigits.safeParse(undefined).error?.issues[0]?.message).toBe('This is a required field.')
  })
  test('[AUTH-016] a code is 6 digits, ignoring blanks', () => {
    for (const wrong of ['12345', '1234567', '12345a', '١٢٣٤٥٦'])
      expect(sixDigits.safeParse(wrong).error?.issues[0]?.message).toBe('The code must be 6 digits')
    expect(sixDigits.parse(' 123 456 ')).toBe('123456')
  })
})
