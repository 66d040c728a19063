import { expect, test } from 'vitest'
import { type CursorBinding, openCursor, sealCursor } from '#server/paging/cursor.ts'

const secret = 'a secret of the database'
const binding: CursorBinding = {
  endpoint: 'GET /employees',
  filter: { status: ['ACTIVE'], q: undefined },
  sort: 'name asc',
  personId: 'priya',
}
const values = ['Fernández', 100_042, null]
const lek = sealCursor(secret, binding, values)

test('[API-106] a cursor is valid for its list and filter, whatever the order of the filter', () => {
  expect(openCursor(secret, binding, lek)).toEqual(values)
  expect(openCursor(secret, { ...binding, filter: { status: ['ACTIVE'] } }, lek)).toEqual(values)
})

test.each([
  ['another person', { ...binding, personId: 'tom' }],
  ['another filter', { ...binding, filter: { status: ['PAUSED'] } }],
  ['another order', { ...binding, sort: 'name desc' }],
  ['another list', { ...binding, endpoint: 'GET /employers' }],
])('a cursor is refused for %s', (_, other) => {
  expect(() => openCursor(secret, other, lek)).toThrow(expect.objectContaining({ status: 400, code: 'cursor-invalid' }))
})

test('a cursor that was altered, cut, made up or signed with another secret is refused', () => {
  const altered = Buffer.from(lek, 'base64url')
  altered[altered.length - 3] = (altered.at(-3) ?? 0) ^ 1
  for (const wrong of [
    '',
    'x',
    'AAAA',
    lek.slice(0, -4),
    altered.toString('base64url'),
    sealCursor('other', binding, values),
    '✓'.repeat(30),
  ])
    expect(() => openCursor(secret, binding, wrong)).toThrow(expect.objectContaining({ code: 'cursor-invalid' }))
})
