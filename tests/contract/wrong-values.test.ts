import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import english from 'zod/v4/locales/en.js'
import { idSchema, longText, text } from '#contract/fields.ts'
import { parse } from '#server/http/input.ts'
import { Refused } from '#server/http-error.ts'
import { loadRoutes, nameOf } from '#server/http/route-table.ts'

/** A part of a request, as the server reads it. */
interface Part {
  name: string
  schema: z.ZodObject
}
let parts: Part[]

beforeAll(async () => {
  const { routes } = await loadRoutes()
  parts = routes.flatMap((route) => {
    const bodies = route.intents.length > 0 ? route.intents.map((ready) => ready.body) : [route.body]
    return [route.params, route.query, ...bodies]
      .filter((schema): schema is z.ZodObject => schema instanceof z.ZodObject)
      .map((schema, index) => ({ name: `${nameOf(route.endpoint)} ${index}`, schema }))
  })
})

/** All sentences that a person may see about a value. */
const ours = [
  /^This is a required field\.$/,
  /^This is not an id\.$/,
  /^There is no such field or parameter\.$/,
  /^Control characters are not allowed\.$/,
  /^This value is not of the right kind\.$/,
  /^This is no base64 text\.$/,
  /^Must be one of: [\w ,:-]+$/,
  /^Enter (text|a number|a whole number|an amount such as 12\.50|a date such as 2026-11-20|a (larger|smaller) amount\.|a valid e-mail address)$/,
  /^(Send a list|Send named fields|Choose yes or no)$/,
  /^At (least|most) \d+( characters| entries)?$/,
  /^A whole number from \d+( to \d+)?$/,
  /^(E-mail is required|Invalid email|The code must be 6 digits|Date is required|Repayment amount is required)$/,
  /^The password needs (1 uppercase letter|1 lowercase letter|1 number|1 special character|at least 8 characters)\.$/,
  /^An invoice id looks like INV-40001\.$/,
  /^An account number has 4 to 17 digits\.$/,
  /^This is no OpenPGP public key: it begins with -----BEGIN PGP PUBLIC KEY BLOCK-----$/,
  /^Only letters, numbers and \+ - _$/,
  /^This is no SSH public key: it begins with its type, such as ssh-ed25519\.$/,
  /^At least one item is required$/,
  /^A routing number has 9 digits\.$/,
  /^(Choose|Confirm) at least one employee\.$/,
  /^Must be greater than 0$/,
  /^At most (\$[\d,]+\.\d\d|1,000|1,000,000|100%|10%|100 items)$/,
  /^(Must not be less than 0|At least one item is required\.|Only letters, numbers, _ or -, and no spaces)$/,
  /^Enter a percentage such as 12\.5$/,
  /^This is not the path of a (list|record)\.$/,
  /^At most (500 columns|200 statuses|2,000 lines|2,000 identifiers)$/,
  /^From -31 to 31 days$/,
  /^From 1 to 100$/,
  /^These are not the parameters of an address\.$/,
  /^There is no such value\.$/,
  /^A recovery code has 16 letters and digits, such as 7K2M-90QX-TB4E-HV6R\.$/,
  /^A date range needs both dates\.$/,
]

const wrong: readonly unknown[] = [
  undefined,
  null,
  '',
  ' ',
  'x',
  '\u0007',
  'x'.repeat(4_001),
  '0x10',
  '1e2',
  '2026-02-30',
  -1,
  0,
  1.5,
  Number.NaN,
  1e20,
  true,
  [],
  [null],
  ['x'],
  [{}],
  [{ nonsense: 1 }],
  {},
  { nonsense: 1 },
  { 1: 'x' },
  { filter: {}, ids: [] },
]

/** The messages of a refusal; none if the value is accepted. */
function messages(schema: z.ZodObject, value: unknown): string[] {
  try {
    parse(schema, value)
    return []
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    // The detail names the missing field.
    const detail = error.detail.replace(/^\S+: (?=This is a required field\.$)/, '')
    return [detail, ...(error.extra.errors ?? []).map((each) => each.message)]
  }
}

test('any wrong value in any schema has a message of the product, not of the library', () => {
  const library = english().localeError as (issue: z.core.$ZodRawIssue) => string
  const sentences = new Set<string>()
  for (const { schema } of parts) {
    for (const value of [...wrong, Object.fromEntries(Object.keys(schema.shape).map((name) => [name, null]))])
      for (const message of messages(schema, value)) sentences.add(message)
    for (const [name, field] of Object.entries(schema.shape))
      for (const value of [...wrong, ...insideOf(field as z.ZodType)])
        for (const message of messages(schema, { [name]: value })) sentences.add(message)
  }
  expect([...sentences].filter((message) => !ours.some((sentence) => sentence.test(message)))).toEqual([])
  // The English of the library is what would appear without own messages.
  expect(library({ code: 'invalid_type', expected: 'string', input: 1 } as never)).toMatch(/^Invalid input: expected string/)
  expect(sentences.size).toBeGreaterThan(20)
})

/** Wrong values for the fields of a list's rows, one at a time. */
function insideOf(field: z.ZodType): unknown[] {
  const inner = field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : field
  if (!(inner instanceof z.ZodArray)) return []
  const tooMany = Array.from({ length: 5_001 }, () => null)
  const row = inner.element
  if (!(row instanceof z.ZodObject)) return [tooMany]
  return [tooMany, ...Object.keys(row.shape).flatMap((name) => wrong.map((value) => [{ [name]: value }]))]
}

test('an unknown field is refused at every depth', () => {
  const found: string[] = []
  const visit = (name: string, schema: z.core.$ZodType): void => {
    const def = schema._zod.def as unknown as Record<string, unknown>
    if (schema instanceof z.ZodObject) {
      if (!(schema._zod.def.catchall instanceof z.ZodNever)) found.push(name)
      for (const [field, inner] of Object.entries(schema.shape)) visit(`${name}.${field}`, inner as z.ZodType)
    }
    for (const below of ['element', 'innerType', 'in', 'valueType']) if (def[below]) visit(name, def[below] as z.core.$ZodType)
    for (const option of (def.options as z.core.$ZodType[] | undefined) ?? []) visit(name, option)
  }
  for (const { name, schema } of parts) visit(name, schema)
  expect(found).toEqual([])
  const nested = parts.filter(({ schema }) =>
    messages(schema, { allocations: [{ invoice_id: 1, amount: 1, amuont: 2 }] }).includes('There is no such field or parameter.'),
  )
  expect(nested.length).toBeGreaterThan(0)
})

describe('a number in a URL', () => {
  const taken = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

  test('is plain decimal, for every parameter of every call', () => {
    const odd = ['0x10', '1e2', '1e1', ' ', '%20', ' 1', '1 ', '+1', '-0', '1.0', '0b1', '0o7', '007', '١٢', '1_000', '1,5', '']
    const numbers = parts.flatMap(({ name, schema }) =>
      Object.entries(schema.shape)
        .filter(([, field]) => taken(field as z.ZodType, '5') && !taken(field as z.ZodType, 'five'))
        .map(([field, inner]) => ({ name: `${name} ${field}`, inner: inner as z.ZodType })),
    )
    expect(numbers.length).toBeGreaterThan(30)
    // A list of numbers has commas, with or without a space; digits of an invoice number match anywhere.
    const fine = (name: string, inner: z.ZodType): readonly string[] =>
      taken(inner, '1,2')
        ? [' 1', '1 ', '1,5']
        : name.endsWith(' number')
          ? [' 1', '1 ', '007']
          : name.endsWith(' invoice-id')
            ? [' 1', '1 ']
            : []
    const accepted = numbers.flatMap(({ name, inner }) =>
      odd
        .filter((value) => taken(inner, value) && !fine(name, inner).includes(value))
        .map((value) => `${name} takes ${JSON.stringify(value)}`),
    )
    expect(accepted).toEqual([])
  })

  test.each(['00100200', '0x10', '1e2', ' ', '+5', '5.0'])('is no id as %j', (value) => {
    expect(taken(idSchema, value)).toBe(false)
  })
})

describe('a reason', () => {
  test.each([
    ['Hangul fillers', '\u3164\u3164'],
    ['half-width Hangul fillers', '\uffa0'],
    ['Hangul jamo fillers', '\u115f\u1160'],
    ['braille blanks', '\u2800\u2800'],
    ['blanks of music and hieroglyphs', '\u{1d159}\u{13441}\u{13442}'],
    ['places of objects', '\ufffc'],
    ['lone marks', '\u0301\u0308'],
    ['variation selectors', '\ufe0f\ufe0f'],
    ['zero-width signs', '\u200b\u2060\ufeff'],
    ['bidi marks', '\u202e\u2067'],
  ])('[EMP-002] of %s is none', (_, value) => {
    for (const schema of [text('Reason'), longText('Reason')])
      expect(schema.safeParse(value).error?.issues[0]?.message).toBe('This is a required field.')
  })

  test.each(['\u0000', '\u0007', '\u001b[31m', '\u007f', '\u0085'])('with the control character in %j is refused', (value) => {
    for (const schema of [text('Reason'), longText('Reason')])
      expect(schema.safeParse(`a${value}b`).error?.issues[0]?.message).toBe('Control characters are not allowed.')
  })

  test('has several lines only in multi-line fields', () => {
    expect(longText('Details').parse('one\r\ntwo\tthree')).toBe('one\r\ntwo\tthree')
    expect(text('Reason').safeParse('one\ntwo').success).toBe(false)
    expect(text('Reason').parse('Ё Ω é ✓ 👩‍⚕️ שלום')).toBe('Ё Ω é ✓ 👩‍⚕️ שלום')
  })
})
