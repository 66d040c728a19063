import { expect, test } from 'vitest'
import { comesTo, type MoneyLine, othersThan } from '#kernel/money-lines.ts'

const line = (id: number, more: Partial<MoneyLine> = {}): MoneyLine => ({
  id,
  title: `INV-${id}`,
  before: 100_00,
  moves: 50_00,
  after: 50_00,
  ...more,
})
const others = (then: MoneyLine[], now: MoneyLine[]) => othersThan(comesTo({ lines: then }), now).map(({ title }) => title)

test('reports exactly the lines whose amount or resulting balance differs', () => {
  const then = [line(1), line(2), line(3), line(4, { moves: 0, after: 100_00 })]
  expect(others(then, then)).toEqual([])
  expect(others(then, [line(1), line(2, { before: 80_00, after: 30_00 }), line(3), ...then.slice(3)])).toEqual(['INV-2'])
  // A line without an amount now, or with one where there was none.
  expect(others(then, [line(1, { moves: 0, after: 50_00 }), line(2), line(3), line(4)])).toEqual(['INV-1', 'INV-4'])
  // The balance of a line without an amount does not matter to the person.
  expect(others(then, [...then.slice(0, 3), line(4, { moves: 0, after: 70_00 })])).toEqual([])
  expect(others(then, [line(1, { has: 10_00 }), ...then.slice(1)])).toEqual(['INV-1'])
})
