import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import all from '#commands/open/all.ts'
import openInvoices from '#commands/open/invoices.ts'
import show from '#commands/filter/show.ts'
import saveView from '#commands/list/save-view.ts'
import { namedViews, startOf } from '#contract/named-views.ts'
import type { CommandHost } from '#kernel/command-host.ts'
import { navigate } from '#portal/app/location.ts'
import { store } from '#portal/app/store.ts'
import { toastsAtom } from '#portal/app/toasts.ts'
import { clearFilters, setSort, showView } from '#portal/list/change.ts'
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
/** Where a command leads that only opens something. */
const opened = (command: object): string => {
  const addresses: string[] = []
  const { act } = command as { act: (host: Pick<CommandHost, 'open'>, target: unknown, params: unknown) => void }
  act({ open: (path) => void addresses.push(path) }, undefined, {})
  return addresses.join()
}

test.each(Object.entries(namedViews))(
  'every view of %s is one that its list understands, and the last shows all',
  (path, views) => {
    const pane = panes.find(({ entity }) => entity.path === path)
    if (!pane)
      throw new Error(`src/contract/named-views.ts has views of ${path}, where no src/portal/nouns/*/list.tsx has a list.`)
    for (const { search } of views) {
      const params = new URLSearchParams(search)
      const filters = readFilters(pane.filters, params, new Set([1]))
      expect(filters.map(({ problem }) => problem)).toEqual(search ? [null] : [])
      expect([null, ...pane.sorts.map(({ id }) => id)]).toContain(params.get('sort'))
    }
    expect(views.at(-1)).toEqual({ id: 'all', title: 'All', search: '' })
  },
)

test('invoices open on what is open, and on everything where that is asked for', () => {
  expect(opened(openInvoices)).toBe(startOf('/invoices'))
  expect(startOf('/invoices')).toContain('status_type=is_not&status_value=DRAFT,CLOSED')
  expect(startOf('/employees')).toBe('/employees')
  expect(all.map(opened).sort()).toEqual(Object.keys(namedViews).sort())
  expect(all[0]?.title).toBe('Open all invoices')
})

test('a status that is a view is shown as the view has it', () => {
  const titled = (title: string) => show.find((each) => each.title === title) as (typeof show)[number]
  expect(opened(titled('Show overdue invoices'))).toBe(`/invoices?${view('overdue')}`)
  expect(opened(titled('Show sent invoices'))).toBe('/invoices?status_type=is&status_value=SENT')
})

test('the next and the previous view go round, and what is no view begins at its end', () => {
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

test('a view takes the filters and the order away that were there, and keeps the search', () => {
  navigate('/invoices?q=harbor&company_type=contains&company_value=HF&sort=id&order=desc')
  showView(list, 'overpaid')
  expect(location.search).toBe('?q=harbor&status_type=is&status_value=OVERPAID')
})

test('it stays the same view in another order, and with one filter less it is none', () => {
  showView(list, 'overdue')
  setSort(list, 'outstanding_amount', 'desc')
  expect(shown()).toBe('Overdue')
  clearFilters(list, 'status')
  expect(shown()).toBe('All')
})

test('another order of it is saved as one of its own, and that one is shown then', () => {
  const whyNot = () => saveView.unavailable?.({ pane: store.get(list.paneAtom) } as never, undefined)
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

test('all that match is not selected while a filter is not understood: it would be everything', () => {
  navigate('/invoices?status_type=is&status_value=NONSENSE')
  markAll(list)
  expect(store.get(toastsAtom).map(({ sentence }) => sentence)).toEqual([
    'Nothing was selected: the filter Status cannot be used. Correct or remove it.',
  ])
  expect(store.get(list.markedAtom)).toBeNull()
})

test('what was selected under another filter is let go with a word, and no Shift takes it up again', () => {
  const lastToast = () => store.get(toastsAtom).at(-1)?.sentence
  const ids = () => store.get(list.markedAtom)?.ids
  const rows = vi.spyOn(list.pages, 'idAt').mockImplementation((place) => String(40_001 + place))
  toggleMark(list, '40009')
  extendTo(list, 1)
  extendTo(list, 0)
  expect(ids()).toEqual(['40009', '40001'])
  showView(list, 'overpaid')
  expect(ids()).toBeUndefined()
  expect(lastToast()).toBe('Nothing is selected now: the filter changed.')
  extendTo(list, 1)
  expect(ids()?.toSorted()).toEqual(['40001', '40002'])
  // Another order has the same rows.
  setSort(list, 'outstanding_amount', 'desc')
  expect(ids()).toHaveLength(2)
  rows.mockRestore()
})
