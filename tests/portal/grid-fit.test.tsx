import { render } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { timeZoneWidth } from '#portal/format/dates.ts'
import { fitColumns } from '#portal/list/grid-fit.ts'
import type { AnyColumn, AnyPane } from '#portal/list/pane.ts'
import { shareColumns } from '#portal/nouns/employees/invoices.tsx'
import { balanceColumns } from '#portal/nouns/employees/pay-period.tsx'
import imports from '#portal/nouns/imports/list.tsx'
import invoicesPane from '#portal/nouns/invoices/list.tsx'
import timekeeping from '#portal/nouns/timekeeping/list.tsx'
import writeOffs from '#portal/nouns/write-offs/list.tsx'

const panes = import.meta.glob<AnyPane>('../../src/portal/nouns/*/list.tsx', { eager: true, import: 'default' })

const column = (id: string, minWidth: number, share: number, keep?: 1 | 2 | 3): AnyColumn => ({
  id,
  title: id,
  width: [minWidth, share],
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

  test('disappear by priority as it narrows', () => {
    const at = (width: number) => widthsAt(width).map(([id]) => id)
    expect(at(721)).toEqual(['name', 'rate', 'hired', 'state'])
    expect(at(720)).toEqual(['name', 'rate', 'state'])
    expect(at(561)).toEqual(['name', 'rate', 'state'])
    expect(at(560)).toEqual(['name', 'state'])
    expect(at(0)).toEqual(['name', 'state'])
  })

  test('keep their minimum width where there is too little room', () => {
    const wide = Array.from({ length: 12 }, (_, index) => column(String(index), 100, 1, 3))
    expect(widthsAt(800, wide).every(([, width]) => width === 100)).toBe(true)
    expect(fitColumns(wide, 800).minWidth).toBe(30 + 16 * 13 + 1200)
  })

  const amount = (id: string, more: Partial<AnyColumn> = {}): AnyColumn => ({
    ...column(id, 104, 0.6, 3),
    align: 'right',
    ...more,
  })
  const invoices = [column('number', 130, 1.8, 3), column('status', 110, 1.4, 2), amount('outstanding', { under: () => 'Sent' })]
  const drawn = (width: number, from: readonly AnyColumn[], sizes?: Record<string, number>) =>
    fitColumns(from, width, sizes).cells.map(({ column, width, pinned }) => ({ id: column.id, width, pinned }))

  test('beside a record keep the figure, with the state below it, inside of the list', () => {
    const { cells, minWidth } = fitColumns(invoices, 309)
    expect(cells.map(({ column }) => column.id)).toEqual(['number', 'outstanding'])
    expect(minWidth).toBeLessThanOrEqual(309)
    expect(cells[1]).toMatchObject({ width: 104, pinned: false, clipped: true })
    const { container } = render(cells[1]?.column.draw?.({}))
    expect(container.querySelector('small')?.textContent).toBe('Sent')
    expect(fitColumns(invoices, 600).cells.map(({ column }) => column.id)).toEqual(['number', 'status', 'outstanding'])
  })

  test('end in an ellipsis where texts have too little room', () => {
    const users = [column('name', 150, 1.8, 3), column('state', 152, 0.7, 3)]
    expect(fitColumns(users, 300).cells.map(({ clipped }) => clipped)).toEqual([true, true])
    expect(fitColumns(users, 600).cells.map(({ clipped }) => clipped)).toEqual([false, false])
  })

  test('of a narrow list disappear before it would scroll sideways', () => {
    const tab = [column('reference', 130, 1, 3), column('state', 138, 1, 2), amount('amount'), amount('share')]
    expect(drawn(500, tab).map(({ id }) => id)).toEqual(['reference', 'amount', 'share'])
    expect(fitColumns(tab, 500).minWidth).toBeLessThanOrEqual(500)
  })

  test('of an employee’s money fit beside the list on a screen of 1024 pixels', () => {
    const shown = (columns: readonly AnyColumn[], ...ids: string[]) =>
      drawn(
        500,
        columns.filter(({ id }) => ids.includes(id)),
      )
    const shares = shown(shareColumns, 'number', 'status', 'due', 'share', 'write-off', 'withheld')
    expect(shares.map(({ id }) => id)).toEqual(['number', 'status', 'share', 'withheld'])
    const balances = drawn(500, balanceColumns)
    expect(balances.map(({ id }) => id)).toEqual(['period', 'earned', 'taken', 'available'])
    // A complete pay period is as wide as '21 Nov to 27 Nov 2026'.
    for (const [first] of [shares, balances]) expect(first?.width).toBeGreaterThanOrEqual(144)
  })

  // A list beside a record has 310 px on a screen of 1024.
  test.each(Object.values(panes).map((pane) => [pane.title, pane] as const))(
    'of %s fit in the list beside a record on a screen of 1024 pixels',
    (_, pane) => {
      const chosen = pane.columns.filter(({ id }) => pane.shown.includes(id))
      expect(fitColumns(chosen, 310).minWidth).toBeLessThanOrEqual(310)
    },
  )

  // A list without a record has 797 px there, beside its scroll bar; ' EDT' takes 30 px.
  const whole = ({ columns, shown }: AnyPane) => {
    const fitted = fitColumns(
      columns.filter(({ id }) => shown.includes(id)),
      797,
    )
    const zoned = columns.some(({ id, title }) => shown.includes(id) && title === 'Received')
    return { ...fitted, minWidth: fitted.minWidth + (zoned ? 30 - timeZoneWidth() : 0) }
  }
  test.each([imports, writeOffs, invoicesPane])('of $title fit in a list on a screen of 1024 pixels', (pane) => {
    expect(whole(pane as AnyPane).minWidth).toBeLessThanOrEqual(797)
  })

  test('of invoices show company codes completely on a screen of 1024 pixels', () => {
    // The widths of 'INV-40974 · WH-0004-1' and 'Refund In Progress'.
    const [number, status] = whole(invoicesPane as AnyPane).cells
    expect(number?.width).toBeGreaterThanOrEqual(153)
    expect(status?.width).toBeGreaterThanOrEqual(136)
    // Beside a record: the width of 'Overdue 217 d' below the figure.
    expect(fitColumns(invoicesPane.columns as readonly AnyColumn[], 310).cells.at(-1)?.width).toBeGreaterThanOrEqual(104)
  })

  test('of a time entry show its day below the name without a column for it', () => {
    const { cells } = fitColumns(timekeeping.columns as readonly AnyColumn[], 310)
    expect(cells.map(({ column }) => column.id)).toEqual(['employee', 'hours'])
    const entry = { employee_name: 'Rafael Dang', employee_id: 101993, work_date: '2026-11-24' }
    const { container } = render(cells[0]?.column.draw?.(entry))
    expect(container.textContent).toBe('Rafael Dang24 Nov 2026')
  })

  test('with amounts stay visible where too many are chosen, as many as fit beside the first', () => {
    const many = [
      column('name', 150, 2, 3),
      amount('a'),
      ...Array.from({ length: 12 }, (_, n) => column(`c${n}`, 100, 1)),
      amount('b'),
    ]
    const { cells, minWidth } = fitColumns(many, 1000)
    expect(minWidth).toBeGreaterThan(1000)
    expect(cells.filter(({ pinned }) => pinned).map(({ column }) => column.id)).toEqual(['a', 'b'])
    expect(cells[1]?.style).toEqual({ width: 104, left: 16, right: 16 + 104 + 16 })
    expect(cells.at(-1)?.style).toEqual({ width: 104, left: 16 + 104 + 16, right: 16 })
    const all = [column('name', 150, 2, 3), ...Array.from({ length: 9 }, (_, n) => amount(`a${n}`))]
    expect(fitColumns(all, 800).cells.flatMap(({ column, pinned }) => (pinned ? [column.id] : []))).toEqual([
      'a5',
      'a6',
      'a7',
      'a8',
    ])
  })

  test.each(Object.values(panes).map((pane) => [pane.title, pane] as const))(
    'of %s are complete beside the visible amounts on a screen of 1024 pixels',
    (_, { columns, shown }) => {
      const { cells, minWidth } = fitColumns(
        columns.filter(({ id }) => shown.includes(id)),
        797,
      )
      expect(cells.reduce((sum, { width }) => sum + width + 16, 46)).toBe(Math.max(797, minWidth))
      const pinned = cells.filter(({ pinned }) => pinned)
      const edge = 797 - pinned.reduce((sum, { width }) => sum + width + 16, 0)
      let x = 46
      for (const { column, width, pinned: stays } of pinned.length ? cells : []) {
        // Amounts followed by other columns are among the columns here.
        if (stays) break
        if (x < edge) expect([column.id, x + width + 16 <= edge]).toEqual([column.id, true])
        x += width + 16
      }
    },
  )

  test('keep a chosen width, and the others share the rest', () => {
    const cells = drawn(1000, invoices, { number: 300 })
    expect(cells[0]?.width).toBe(300)
    expect(cells.reduce((sum, { width }) => sum + width, 0)).toBe(1000 - 30 - 16 * 4)
  })

  test('shrink from a chosen width before an amount leaves the screen; amounts are never cut', () => {
    const wide = { number: 900, status: 900, outstanding: 40 }
    const { cells, minWidth } = fitColumns(invoices, 700, wide)
    expect(minWidth).toBeLessThan(700)
    expect(cells.reduce((sum, { width }) => sum + width + 16, 46)).toBeLessThanOrEqual(700)
    expect(cells[2]?.width).toBe(104)
    expect(drawn(700, invoices, { number: 60 })[0]?.width).toBe(60)
  })

  test('that all have a chosen width leave the rest of the list empty', () => {
    expect(drawn(1000, invoices, { number: 200, status: 120, outstanding: 110 }).map(({ width }) => width)).toEqual([
      200, 120, 110,
    ])
  })

  test('may be none', () => {
    expect(widthsAt(800, [])).toEqual([])
  })
})
