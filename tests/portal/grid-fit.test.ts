import { describe, expect, test } from 'vitest'
import { fitColumns } from '#portal/list/grid-fit.ts'
import type { AnyColumn } from '#portal/list/pane.ts'

const column = (id: string, least: number, share: number, keep?: 1 | 2 | 3): AnyColumn => ({
  id,
  title: id,
  width: [least, share],
  keep,
  text: () => '',
})
const columns = [column('name', 150, 2, 3), column('rate', 100, 0.1, 1), column('hired', 90, 1), column('state', 100, 1, 3)]
const widthsAt = (width: number, from = columns) =>
  fitColumns(from, width).cells.map(({ column, width }) => [column.id, width] as const)

describe('the columns of a list', () => {
  test('fill its width to the pixel, each at least as wide as it needs', () => {
    const width = 1001
    const cells = widthsAt(width)
    const sum = cells.reduce((all, [, each]) => all + each, 0)
    expect(sum).toBe(width - 30 - 16 * 5)
    expect(new Map(cells).get('rate')).toBe(100)
    expect(new Map(cells).get('name')).toBeGreaterThan(2 * new Map(cells).get('hired')! - 2)
  })

  test('go by how much they matter as it narrows', () => {
    const at = (width: number) => widthsAt(width).map(([id]) => id)
    expect(at(721)).toEqual(['name', 'rate', 'hired', 'state'])
    expect(at(720)).toEqual(['name', 'rate', 'state'])
    expect(at(561)).toEqual(['name', 'rate', 'state'])
    expect(at(560)).toEqual(['name', 'state'])
    expect(at(0)).toEqual(['name', 'state'])
  })

  test('keep their least width where there is too little room', () => {
    const wide = Array.from({ length: 12 }, (_, index) => column(String(index), 100, 1, 3))
    expect(widthsAt(800, wide).every(([, width]) => width === 100)).toBe(true)
    expect(fitColumns(wide, 800).least).toBe(30 + 16 * 13 + 1200)
  })

  test('may be none', () => {
    expect(widthsAt(800, [])).toEqual([])
  })
})
