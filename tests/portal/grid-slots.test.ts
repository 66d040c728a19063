import { describe, expect, test } from 'vitest'
import { Slots } from '#portal/list/grid-slots.ts'

const from = (first: number, length: number) => Array.from({ length }, (_, index) => first + index)
const held = (slots: Slots) => slots.drawn.map(({ index }) => index).sort((a, b) => a - b)

describe('the slots of the grid', () => {
  test('keep the element of a row that stays, and reuse the others for new rows', () => {
    const slots = new Slots()
    slots.put(from(0, 30), 0, 13, true)
    const before = new Map(slots.drawn.map(({ slot, index }) => [index, slot]))
    expect(slots.put(from(3, 30), 13, 26, false)).toBe(false)
    const after = new Map(slots.drawn.map(({ slot, index }) => [index, slot]))
    for (const index of from(3, 27)) expect(after.get(index)).toBe(before.get(index))
    expect(held(slots)).toEqual(from(3, 30))
  })

  test('render a jump of more than a screen on screen first, and the rest when idle', () => {
    const slots = new Slots()
    slots.put(from(0, 34), 10, 23, true)
    expect(slots.put(from(1000, 34), 1010, 1023, false)).toBe(true)
    const drawn = held(slots)
    expect(drawn.filter((index) => index >= 1000)).toEqual(from(1010, 14))
    expect(drawn).toHaveLength(34)
    expect(slots.put(from(1000, 34), 1010, 1023, true)).toBe(false)
    expect(held(slots)).toEqual(from(1000, 34))
  })

  test('render a page and its surroundings at once', () => {
    const slots = new Slots()
    slots.put(from(0, 34), 10, 23, true)
    expect(slots.put(from(13, 34), 23, 36, false)).toBe(false)
    expect(held(slots)).toEqual(from(13, 34))
  })

  test('never hold a row twice, nor more rows than requested', () => {
    const slots = new Slots()
    for (const [first, length, calm] of [
      [0, 24, true],
      [9, 34, false],
      [500, 34, false],
      [520, 34, false],
      [2, 30, false],
      [0, 24, true],
    ] as const) {
      slots.put(from(first, length), first + 10, first + 23, calm)
      const drawn = held(slots)
      expect(new Set(drawn).size).toBe(drawn.length)
      expect(drawn.length).toBeLessThanOrEqual(34)
    }
    expect(held(slots)).toEqual(from(0, 24))
  })

  test('discard their rows when these have moved', () => {
    const slots = new Slots()
    slots.put(from(0, 34), 10, 23, true)
    slots.clear()
    expect(slots.drawn).toEqual([])
  })
})
