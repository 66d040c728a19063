import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SharedView } from '#contract/shared-views.ts'
import type { SavedView } from '#contract/views.ts'
import { invoice } from '#entities/invoice.ts'
import { loadCapabilities } from '#portal/api/capabilities.ts'
import { loadConfig } from '#portal/api/config.ts'
import { meAtom, setApplicationKey, setToken } from '#portal/api/session.ts'
import { watchSavedViews } from '#portal/commands/saved-views.ts'
import { arrange } from '#portal/list/arrange.ts'
import { chooseColumns, showView } from '#portal/list/change.ts'
import { settleAddress } from '#portal/list/filters.ts'
import type { List } from '#portal/list/list.ts'
import { mainListAtom, watchMainList } from '#portal/list/lists.ts'
import { PaneHead } from '#portal/list/pane-head.tsx'
import { registerPanes } from '#portal/list/panes.ts'
import { savedViewsAtom, sharedViewsAtom } from '#portal/list/saved-views.ts'
import employees from '#portal/nouns/employees/list.tsx'
import invoices from '#portal/nouns/invoices/list.tsx'
import { navigate } from '#portal/platform/location.ts'
import { commandById, register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { showAlone } from '#tests/portal/alone.tsx'
import { adminWithout } from '#tests/support/examples.ts'

const late: SharedView = {
  id: 7,
  path: '/invoices',
  title: 'Late at Harbor',
  search: 'status_type=is&status_value=OVERDUE&employer_type=is&employer_value=12',
  shared_with: ['PAYROLL', 'HUMAN_RESOURCES'],
  shared_by: 'Ada Admin',
  updated_at: '2026-11-30T10:00:00Z',
  version: 1,
}
const own: SavedView = { path: '/invoices', title: 'Mine', search: 'status_type=is&status_value=SENT' }

let list: List
let stop: () => void
beforeEach(() => {
  registerPanes([invoices])
  store.set(meAtom, adminWithout())
  navigate('/invoices')
  stop = watchMainList()
  list = store.get(mainListAtom) as List
})
afterEach(() => {
  settleAddress()
  stop()
  cleanup()
  vi.unstubAllGlobals()
  store.set(sharedViewsAtom, [])
  store.set(savedViewsAtom, [])
})

const titles = () => store.get(list.viewsAtom).map(({ title }) => title)
const shown = () => store.get(list.namedAtom)?.title ?? null
const columns = () => store.get(list.columnsAtom).map(({ id }) => id)

test('a shared view is in the header of its list, marked with whom and by whom', () => {
  store.set(sharedViewsAtom, [late, { ...late, id: 8, path: '/employees', title: 'Elsewhere' }])
  store.set(savedViewsAtom, [own])
  showAlone(<PaneHead list={list} />)
  const views = screen.getByRole('group', { name: 'Views' })
  expect([...views.querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual([
    ...['Open', 'Overdue', 'In review', 'Overpaid', 'All'],
    'Late at Harbor',
    'Mine',
  ])
  const button = screen.getByRole('button', { name: 'Late at Harbor' })
  expect(button.title.replace(/[\u2068\u2069]/g, '')).toBe('Shared with payroll and human resources by Ada Admin')
  expect(button.querySelector('svg')).not.toBeNull()
  expect(screen.getByRole('button', { name: 'Mine' }).querySelector('svg')).toBeNull()
})

test('an own view that shows the same is hidden while the shared one exists', () => {
  const same = 'employer_type=is&employer_value=12&status_type=is&status_value=OVERDUE'
  store.set(savedViewsAtom, [{ ...own, search: same }])
  expect(titles().slice(-1)).toEqual(['Mine'])
  store.set(sharedViewsAtom, [late])
  expect(titles().slice(-1)).toEqual(['Late at Harbor'])
  store.set(sharedViewsAtom, [])
  expect(titles().slice(-1)).toEqual(['Mine'])
})

test('a view that is no longer shared keeps its filters, and has no name any more', () => {
  store.set(sharedViewsAtom, [late])
  showView(list, 'shared 7')
  expect(shown()).toBe('Late at Harbor')
  store.set(sharedViewsAtom, [])
  expect(shown()).toBeNull()
  expect(location.search).toBe(`?${late.search}`)
})

test('an unknown filter of an old view is named as such, and the others apply', () => {
  store.set(sharedViewsAtom, [{ ...late, search: 'color_type=is&color_value=red&status_type=is&status_value=SENT' }])
  showView(list, 'shared 7')
  expect(store.get(list.filtersAtom).map(({ title, problem }) => [title, problem])).toEqual([
    ['Status', null],
    ['color', 'This list has no such filter.'],
  ])
  expect(store.get(list.askedAtom)?.filter).toEqual({ status: 'SENT' })
})

test('the columns that an address names are shown in its order, until others are chosen', () => {
  const usual = columns()
  const [first = '', second = '', third = ''] = usual
  store.set(sharedViewsAtom, [{ ...late, search: `${late.search}&columns=${first},${third},${second},nonsense` }])
  showView(list, 'shared 7')
  expect([columns(), shown()]).toEqual([[first, third, second], 'Late at Harbor'])
  showView(list, 'all')
  expect([columns(), location.search]).toEqual([usual, ''])
  showView(list, 'shared 7')
  chooseColumns(list, [first, second])
  expect([columns(), new URLSearchParams(location.search).get('columns')]).toEqual([[first, second], null])
  navigate(`/invoices?columns=${first},${second},${third}`)
  arrange(list, { does: 'reset' })
  expect([columns(), location.search]).toEqual([usual, ''])
})

test('moving a column makes those that the address names the own ones', () => {
  navigate('/invoices?columns=number,status,due,amount')
  arrange(list, { does: 'move', column: 'amount', before: 'status' })
  expect([columns(), location.search]).toEqual([['number', 'amount', 'status', 'due'], ''])
  arrange(list, { does: 'reset' })
})

test('columns that the person may not see are left out of a view', () => {
  stop()
  registerPanes([employees])
  store.set(meAtom, adminWithout('read:wages'))
  navigate('/employees?columns=rate,status')
  stop = watchMainList()
  list = store.get(mainListAtom) as List
  expect(columns().slice(1)).toEqual(['status'])
})

/** An API that has these calls. */
async function apiWith(answers: Readonly<Record<string, unknown>>): Promise<string[]> {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (request: Request | URL | string) => {
    const { pathname } = new URL(request instanceof Request ? request.url : request, location.origin)
    const path = pathname.replace('/api', '')
    const paths = Object.fromEntries(Object.keys(answers).map((each) => [each, { get: {} }]))
    asked.push(path)
    const config = { environment: 'local', api: '/api', application_key: 'public', version: '1' }
    const body = { '/openapi.json': { paths }, '/config.json': config, ...answers }[path]
    return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
  })
  await loadConfig()
  await loadCapabilities()
  setApplicationKey('key')
  setToken('token')
  return asked
}

test('views of others are read, have commands by their id, and are gone at the end', async () => {
  register({ entities: [invoice] })
  await apiWith({ '/views': { views: [own], version: 1 }, '/shared-views': { shared_views: [late] } })
  const end = watchSavedViews()
  await waitFor(() => expect(titles().slice(-2)).toEqual(['Late at Harbor', 'Mine']))
  expect(commandById('filter.shared.invoice.7')?.title).toBe('Show invoices: Late at Harbor')
  expect(commandById('filter.saved.invoice.Mine')?.title).toBe('Show invoices: Mine')
  end()
  expect(titles()).toHaveLength(5)
  expect(commandById('filter.shared.invoice.7')).toBeUndefined()
})

test('an API without shared views is not asked for them, and the own ones are there', async () => {
  register({ entities: [invoice] })
  const asked = await apiWith({ '/views': { views: [own], version: 1 } })
  const end = watchSavedViews()
  await waitFor(() => expect(titles().slice(-1)).toEqual(['Mine']))
  expect(asked).not.toContain('/shared-views')
  end()
})
