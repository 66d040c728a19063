import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import all from '#commands/open/all.ts'
import openInvoices from '#commands/open/invoices.ts'
import show from '#commands/filter/show.ts'
import saveView from '#commands/list/save-view.ts'
import { namedViews, startOf } from '#contract/named-views.ts'
import type { CommandHost } from '#kernel/command-host.ts'
import { navigate } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'
import { toastsAtom } from '#portal/platform/toasts.ts'
import { clearFilters, setSort, showSelected, showView } from '#portal/list/change.ts'
import { readFilters, settleAddress } from '#portal/list/filters.ts'
import type { List } from '#portal/list/list.ts'
import { extendTo, markAll, toggleMark } from '#portal/list/marks.ts'
import { savedViewsAtom } from '#portal/list/saved-views.ts'
import { mainListAtom, watchMainList } from '#portal/list/lists.ts'
import { registerPanes } from '#portal/list/panes.ts'
import type { AnyPane } from '#portal/list/pane.ts'

const panes = Object.values(
  import.meta.glob<AnyPane>('../../src/portal/nouns/*/list.tsx', { eager: true, import: 'default' }),
).filter(({ kind }) => kind === 'pane')
let list: List
let stop: () => void
beforeEach(() => {
  registerPanes(panes)
  navigate('/invoices')
  stop = watchMainList()
  list = store.get(mainListAtom) as List
})
afterEach(() => {
  settleAddress()
  stop()
})

const shown = () => store.get(list.namedAtom)?.title ?? null
const view = (id: string) => namedViews['/invoices']?.find((each) => each.id === id)?.search
/** The address that a navigation command opens. */
const opened = (command: object): string => {
  const addresses: string[] = []
  const { act } = command as { act: (host: Pick<CommandHost, 'open'>, target: unknown, params: unknown) => void }
  act({ open: (path) => void addresses.push(path) }, undefined, {})
  return addresses.join()
}

test.each(Object.entries(namedViews))('every view of %s is understood by its list, and the last one shows all', (path, views) => {
  const pane = panes.find(({ entity }) => entity.path === path)
  if (!pane) throw new Error(`src/contract/named-views.ts has views of ${path}, where no src/portal/nouns/*/list.tsx has a list.`)
  for (const { search } of views) {
    const params = new URLSearchParams(search)
    const filters = readFilters(pane.filters, params, new Set([1]))
    expect(filters.map(({ problem }) => problem)).toEqual(search ? [null] : [])
    expect([null, ...pane.sorts.map(({ id }) => id)]).toContain(params.get('sort'))
  }
  expect(views.at(-1)).toEqual({ id: 'all', title: 'All', search: '' })
})

test('invoices open with the open ones, and with all on request', () => {
  expect(opened(openInvoices)).toBe(startOf('/invoices'))
  expect(startOf('/invoices')).toContain('status_type=is_not&status_value=DRAFT,CLOSED')
  expect(startOf('/employees')).toBe('/employees')
  expect(all.map(opened).sort()).toEqual(Object.keys(namedViews).sort())
  expect(all[0]?.title).toBe('Open all invoices')
})

test('a status with a view is shown as that view', () => {
  const titled = (title: string) => show.find((each) => each.title === title) as (typeof show)[number]
  expect(opened(titled('Show overdue invoices'))).toBe(`/invoices?${view('overdue')}`)
  expect(opened(titled('Show sent invoices'))).toBe('/invoices?status_type=is&status_value=SENT')
})

test('next and previous view cycle, and start at the end outside of a view', () => {
  expect(shown()).toBe('All')
  showView(list, 1)
  expect([shown(), location.search]).toEqual(['Open', `?${new URLSearchParams(view('open'))}`])
  showView(list, 1)
  expect(shown()).toBe('Overdue')
  showView(list, -1)
  showView(list, -1)
  expect([shown(), location.search]).toEqual(['All', ''])
  navigate('/invoices?company_type=contains&company_value=HF')
  expect(shown()).toBeNull()
  showView(list, -1)
  expect(shown()).toBe('All')
  navigate('/invoices?company_type=contains&company_value=HF')
  showView(list, 1)
  expect(shown()).toBe('Open')
})

test('a view replaces filters and sort order, and keeps the search', () => {
  navigate('/invoices?q=harbor&company_type=contains&company_value=HF&sort=id&order=desc')
  showView(list, 'overpaid')
  expect(location.search).toBe('?q=harbor&status_type=is&status_value=OVERPAID')
})

test('a view stays the same in another order, and is none with one filter less', () => {
  showView(list, 'overdue')
  setSort(list, 'outstanding_amount', 'desc')
  expect(shown()).toBe('Overdue')
  clearFilters(list, 'status')
  expect(shown()).toBe('All')
})

test('another order of a view is saved as a view of its own, and is then shown', () => {
  const whyNot = () => saveView.unavailable?.because?.({ pane: store.get(list.paneAtom) } as never, undefined)
  showView(list, 'open')
  expect(whyNot()).toEqual({ sentence: 'This is the view Open.' })
  setSort(list, 'outstanding_amount', 'desc')
  expect(whyNot()).toBeNull()
  const search = store.get(list.paneAtom)?.search as string
  store.set(savedViewsAtom, [{ path: '/invoices', title: 'Most first', search }])
  expect(shown()).toBe('Most first')
  expect(whyNot()).toEqual({ sentence: 'This is the view Most first.' })
  store.set(savedViewsAtom, [])
})

test('with an invalid filter, all matches are not selected: they would be everything', () => {
  navigate('/invoices?status_type=is&status_value=NONSENSE')
  markAll(list)
  expect(store.get(toastsAtom).map(({ sentence }) => sentence)).toEqual([
    'Nothing was selected: the filter Status cannot be used. Correct or remove it.',
  ])
  expect(store.get(list.markedAtom)).toBeNull()
})

test('marks outlast another search, with a range of its own, but not another filter', () => {
  const ids = () => store.get(list.markedAtom)?.ids
  const rows = vi.spyOn(list.pages, 'idAt').mockImplementation((place) => String(40_001 + place))
  toggleMark(list, '40009')
  extendTo(list, 1)
  extendTo(list, 0)
  expect(ids()).toEqual(['40009', '40001'])
  navigate('/invoices?q=harbor')
  expect(ids()).toEqual(['40009', '40001'])
  rows.mockImplementation((place) => String(50_001 + place))
  extendTo(list, 1)
  expect(ids()?.toSorted()).toEqual(['40001', '40009', '50001', '50002'])
  // Another order has the same rows.
  setSort(list, 'outstanding_amount', 'desc')
  expect(ids()).toHaveLength(4)
  rows.mockRestore()
  showView(list, 'overpaid')
  expect(ids()).toBeUndefined()
})

test('a selection of all matches does not outlast another filter, and says so', () => {
  vi.spyOn(list.pages, 'total', 'get').mockReturnValue(3)
  markAll(list)
  expect(store.get(list.markedAtom)?.count).toBe(3)
  vi.restoreAllMocks()
  showView(list, 'overdue')
  expect(store.get(list.markedAtom)).toBeNull()
  expect(store.get(toastsAtom).at(-1)?.sentence).toBe('Nothing is selected now: the filter changed.')
})

test('the selected rows are shown alone, in place of filters and search, and stay selected', () => {
  navigate('/invoices?q=harbor&status_type=is&status_value=OVERDUE&sort=due_date')
  toggleMark(list, '40009')
  toggleMark(list, '40010')
  showSelected(list)
  expect(decodeURIComponent(location.search)).toBe('?sort=due_date&id_type=is&id_value=40009,40010')
  expect(store.get(list.askedAtom)?.filter).toEqual({ id: '40009,40010' })
  expect(store.get(list.markedAtom)?.ids).toEqual(['40009', '40010'])
  expect(store.get(list.filtersAtom).map(({ title, problem }) => [title, problem])).toEqual([['Invoice', null]])
  clearFilters(list)
  expect(store.get(list.markedAtom)?.ids).toEqual(['40009', '40010'])
})
