import { execFile } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { choice, choices, email, fieldMeta, required, text } from '#contract/fields.ts'

const message = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message

describe('an e-mail outside the sign-in', () => {
  test('that is invalid says Invalid email', () => {
    for (const wrong of ['ada', 'ada@', '@example.com', 'ada example.com', `${'a'.repeat(250)}@example.com`])
      expect(message(email(), wrong)).toBe('Invalid email')
    expect(message(email(), undefined)).toBe('E-mail is required')
    expect(message(email(), '  ')).toBe('E-mail is required')
    expect(email().parse(' ada@example.com ')).toBe('ada@example.com')
  })

  test.each([
    ['ada', 'Invalid email'],
    [' ', 'E-mail is required'],
  ])('[AUTH-006] creating an admin with the e-mail %j shows %j, before any field is touched', async (typed, sentence) => {
    const ended = await new Promise<{ code: unknown; said: string }>((resolve) =>
      execFile(process.execPath, ['scripts/admin-create.ts', '--email', typed, '--name', 'Ada'], (error, _, said) =>
        resolve({ code: error?.code, said }),
      ),
    )
    expect(ended.code).toBe(1)
    expect(ended.said).toContain(sentence)
  })
})

test('an invalid choice has another message than a missing one', () => {
  const values = ['DAY', 'WEEK'] as const
  const words = { DAY: 'Day', WEEK: 'Week' }
  for (const missing of [undefined, null, '']) expect(message(choice('Every', values, words), missing)).toBe(required)
  for (const other of ['day', 'MONTH', 3]) expect(message(choice('Every', values, words), other)).toBe('There is no such value.')
  expect(message(choices('Every', values, words), [])).toBe(required)
  expect(message(choices('Every', values, words), ['DAY', 'MONTH'])).toBe('There is no such value.')
})

describe('metadata', () => {
  test('belongs to the schema it was made for', () => {
    expect(fieldMeta.get(text('Reason'))?.title).toBe('Reason')
    expect(fieldMeta.get(email())?.kind).toBe('e-mail')
    expect(fieldMeta.get(z.string())).toBeUndefined()
  })
})

test('[EMP-002] a reason of invisible characters is missing', () => {
  for (const blank of ['', '  ', '\u200b\u200b', '\u2060 \ufeff'])
    expect(
      text('Reason')
        .safeParse(blank)
        .error?.issues.map((issue) => issue.message),
    ).toEqual([required])
  expect(text('Reason').parse(' ‫إجازة‬ 👩‍⚕️ ')).toBe('‫إجازة‬ 👩‍⚕️')
})
