import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { employee } from '#entities/employee.ts'
import { definePane } from '#portal/list/pane.ts'
import { clearFilters, setFilter, setSort, typeSearch } from '#portal/list/change.ts'
import { arrange } from '#portal/list/arrange.ts'
import { inOrder, setColumns } from '#portal/list/columns.ts'
import { changeSearch, filterDebounce, searchDebounce, settleAddress, shownSearchAtom } from '#portal/list/filters.ts'
import { linkOf } from '#portal/palette/act-on-row.ts'
import type { Row } from '#portal/palette/row.ts'
import { navigate } from '#portal/platform/location.ts'
import { registerPanes } from '#portal/list/panes.ts'
import { register } from '#portal/platform/registry.ts'
import type { List } from '#portal/list/list.ts'
import { mainListAtom, watchMainList } from '#portal/list/lists.ts'
import { meAtom } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { adminWithout } from '#tests/support/examples.ts'

const column = (id: string) => ({ id, title: id, width: [10, 1] as const, text: () => id })
const pane = definePane({
  entity: employee,
  title: 'Employees',
  columns: ['name', 'rate', 'code'].map(column),
  shown: ['name', 'rate'],
  sorts: [{ id: 'id', title: 'Id' }],
  sub: () => null,
  tabs: {},
  words: { field: (name) => name, value: (_, value) => String(value) },
})

let list: List
let stop: () => void
beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  register({ entities: [employee] })
  registerPanes([pane])
  navigate('/employees')
  stop = watchMainList()
  list = store.get(mainListAtom) as List
})
afterEach(() => {
  settleAddress()
  stop()
  vi.useRealTimers()
})

const shown = () => store.get(shownSearchAtom).toString()

describe('filters in the address', () => {
  test('[CONST-005] the list applies a filter at once, the address 800 ms after the last change, in one step', () => {
    expect(filterDebounce).toBe(800)
    const steps = history.length
    setFilter('employee', 'status', { type: 'is', value: 'PAUSED' })
    vi.advanceTimersByTime(500)
    setFilter('employee', 'brand', { type: 'is_not', value: 'DAYLINE' })
    vi.advanceTimersByTime(799)
    expect(location.search).toBe('')
    expect(shown()).toBe('status_type=is&status_value=PAUSED&brand_type=is_not&brand_value=DAYLINE')
    vi.advanceTimersByTime(1)
    expect(location.search).toBe('?status_type=is&status_value=PAUSED&brand_type=is_not&brand_value=DAYLINE')
    expect(history.length).toBe(steps + 1)
  })

  test('[CONST-006] a search is sent 500 ms after the last letter', () => {
    expect(searchDebounce).toBe(500)
    typeSearch(list, 'an')
    vi.advanceTimersByTime(400)
    typeSearch(list, 'ana ')
    vi.advanceTimersByTime(499)
    expect(shown()).toBe('')
    vi.advanceTimersByTime(1)
    expect(location.search).toBe('?q=ana')
  })

  test('clearing removes filters and search, and keeps the sort order', () => {
    navigate('/employees?q=a&sort=name&status_type=is&status_value=PAUSED')
    clearFilters(list)
    vi.advanceTimersByTime(filterDebounce)
    expect(location.search).toBe('?sort=name')
  })

  test('[SCR-073] the link of a row after / leads to the filtered list without record, with current filters', () => {
    navigate('/employees/104234?q=a&sort=name&brand_type=is&brand_value=DAYLINE&tab=history')
    const row = { kind: 'command', narrows: { set: [{ id: 'status', type: 'is', value: 'PAUSED' }], q: '' } } as unknown as Row
    const { pathname, search } = new URL(linkOf(row) ?? '')
    expect(pathname + search).toBe(
      '/employees?q=a&sort=name&brand_type=is&brand_value=DAYLINE&status_type=is&status_value=PAUSED',
    )
  })

  test('going to another page and back reads nothing again: the row stays', () => {
    navigate('/employees?status_type=is&status_value=PAUSED')
    const asked = store.get(list.askedAtom)
    store.set(list.cursorAtom, (now) => ({ ...now, place: 7 }))
    navigate('/invoices')
    expect(store.get(list.askedAtom)).toBe(asked)
    navigate('/employees?status_type=is&status_value=PAUSED')
    expect(store.get(list.askedAtom)).toBe(asked)
    expect(store.get(list.cursorAtom).place).toBe(7)
    navigate('/employees')
    expect(store.get(list.askedAtom)).not.toBe(asked)
  })

  test('sorting is written at once', () => {
    setSort(list, 'name', 'desc')
    expect(location.search).toBe('?sort=name&order=desc')
    setSort(list, 'name', 'asc')
    expect(location.search).toBe('?sort=name')
  })

  test('a filter set from elsewhere opens the list with it', () => {
    stop()
    navigate('/')
    setFilter('employee', 'employer', { type: 'is', value: '7' })
    expect(location.pathname + location.search).toBe('/employees?employer_type=is&employer_value=7')
  })

  test('[SCR-072] a pending change is written before the address is read', () => {
    changeSearch({ status_type: 'is', status_value: 'ACTIVE' }, filterDebounce)
    settleAddress()
    expect(location.search).toBe('?status_type=is&status_value=ACTIVE')
    vi.advanceTimersByTime(filterDebounce)
    expect(location.search).toBe('?status_type=is&status_value=ACTIVE')
  })
})

describe('the columns of a list', () => {
  const ids = () => store.get(list.columnsAtom).map((each) => each.id)

  test('the choice is stored in this browser per list, and the first column stays', () => {
    expect(ids()).toEqual(['name', 'rate'])
    setColumns(list, ['code'])
    expect(ids()).toEqual(['name', 'code'])
    expect(JSON.parse(localStorage.getItem('admin-portal.columns.employees') ?? '')).toEqual(['code'])
  })

  const layout = () => ({ ids: ids(), widths: store.get(list.widthsAtom) })

  test('their order and widths are stored per person and list, and are reset together', () => {
    setColumns(list, ['rate', 'code'])
    list.drawn = [
      ['name', 200],
      ['rate', 100],
      ['code', 90],
    ]
    arrange(list, { does: 'move', column: 'code', by: -1 })
    expect(layout().ids).toEqual(['name', 'code', 'rate'])
    // Columns to the left keep their width, so that the dragged edge stays in place.
    arrange(list, { does: 'size', column: 'rate', width: 130 })
    expect(layout().widths).toEqual({ name: 200, rate: 130 })
    arrange(list, { does: 'size', column: 'name', by: 1 })
    expect(layout().widths).toEqual({ name: 224, rate: 130 })
    arrange(list, { does: 'size', column: 'rate', width: 3 })
    expect(layout().widths['rate']).toBe(48)

    store.set(meAtom, adminWithout())
    expect(layout()).toEqual({ ids: ['name', 'rate', 'code'], widths: {} })
    store.set(meAtom, null)
    expect(layout().ids).toEqual(['name', 'code', 'rate'])
    arrange(list, { does: 'reset' })
    expect(layout()).toEqual({ ids: ['name', 'rate'], widths: {} })
    expect(Object.keys(localStorage).filter((name) => /columns|layout/.test(name))).toEqual([])
  })

  test('the first one stays the first, and the active cell moves with its column', () => {
    setColumns(list, ['rate', 'code'])
    list.drawn = [
      ['name', 200],
      ['rate', 100],
      ['code', 90],
    ]
    store.set(list.cursorAtom, (now) => ({ ...now, cell: 1 }))
    arrange(list, { does: 'move', column: 'rate', by: -1 })
    expect(ids()).toEqual(['name', 'rate', 'code'])
    arrange(list, { does: 'move', column: 'rate', by: 1 })
    expect(ids()).toEqual(['name', 'code', 'rate'])
    expect(store.get(list.cursorAtom).cell).toBe(2)
    arrange(list, { does: 'move', column: 'name', before: null })
    arrange(list, { does: 'move', column: 'rate', before: 'name' })
    expect(ids()).toEqual(['name', 'rate', 'code'])
  })

  test('a column chosen later is placed after its predecessor', () => {
    const all = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
    expect(inOrder(all, ['d', 'b']).map(({ id }) => id)).toEqual(['a', 'd', 'b', 'c'])
    expect(inOrder(all, ['c', 'gone', 'a']).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
  })
})
