import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Employee } from '#contract/employees.ts'
import type { TimelineEntry } from '#contract/timeline.ts'
import listCommands from '#commands/list/view.ts'
import clearFilters from '#commands/filter/clear.ts'
import refresh from '#commands/list/refresh.ts'
import { employee } from '#entities/employee.ts'
import { invoice } from '#entities/invoice.ts'
import '#portal/commands/host.ts'
import { loadCapabilities } from '#portal/api/capabilities.ts'
import { loadConfig } from '#portal/api/config.ts'
import { navigate } from '#portal/platform/location.ts'
import { register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { targetAtom } from '#portal/list/target.ts'
import { regionAtom } from '#portal/keyboard/focus.ts'
import { moveTo } from '#portal/list/cursor.ts'
import { tabListAtom } from '#portal/list/lists.ts'
import { registerPanes } from '#portal/list/panes.ts'
import employees from '#portal/nouns/employees/list.tsx'
import { EmployeeHistory } from '#portal/nouns/employees/history.tsx'
import { wordsOf } from '#portal/nouns/employees/timeline-entry.tsx'
import { upsertRecords, record } from '#portal/records/entity-store.ts'
import { meAtom, setApplicationKey, setToken } from '#portal/api/session.ts'
import { provide } from '#portal/main/provide.ts'
import { showAlone } from '#tests/portal/alone.tsx'
import { adminWithout, employeeLike } from '#tests/support/examples.ts'

// Another API, on another origin, with or without a description of the timeline; each test sets its answers.
let asked: URL[]
let described: boolean
let answer: (url: URL) => Response
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
const parameters = [
  'limit',
  'lek',
  'direction',
  'kind',
  'kind-not',
  'status',
  'status-not',
  'category',
  'category-not',
  'date-from',
  'date-to',
]
const takes = (...names: string[]) => ({ get: { parameters: names.map((name) => ({ name, in: 'query' })) } })
const openApi = {
  openapi: '3.1.0',
  paths: {
    '/employees/{id}': takes(),
    '/employees/{id}/timeline': takes(...parameters),
    '/employees/{id}/timeline/count': takes(...parameters.slice(3)),
  },
}

const of = (kind: TimelineEntry['kind'], at: string, more: object) => ({ id: `${kind}-1`, kind, at, ...more })
const entries = [
  of('NOTE', '2026-11-20T15:00:00Z', { note: { text: 'Called back', user: { name: 'Tom Berg' } } }),
  of('TRANSACTION', '2026-11-19T15:00:00Z', {
    transaction: {
      id: 7,
      provider: 'NORTHRAIL',
      status: 'COMPLETE',
      amount: 40_00,
      fee_amount: 2_99,
      settled_at: null,
      period_start: '2026-11-14',
      period_end: '2026-11-20',
    },
  }),
  of('EVENT', '2026-11-18T15:00:00Z', {
    event: {
      id: 1,
      actor: { name: 'Ada Admin' },
      category: 'user',
      status: 'Paused',
      text: 'Leave',
      changes: [{ field: 'status', before: 'ACTIVE', after: 'PAUSED' }],
    },
  }),
  of('INVOICE', '2026-11-17T05:00:00Z', {
    invoice: {
      invoice_id: 40001,
      number: 'INV-40001',
      status: 'CLOSED',
      report_date: '2026-11-17',
      due_date: '2026-11-24',
      period_start: '2026-11-07',
      period_end: '2026-11-13',
      employer: { name: 'Harbor Foods' },
      line: { original_amount: 120_00, writeoff_amount: 0, withheld_amount: null },
    },
  }),
  of('BALANCE', '2026-11-14T05:00:00Z', {
    balance: {
      period_start: '2026-11-14',
      period_end: '2026-11-20',
      earned_amount: 900_00,
      limit_amount: 450_00,
      taken_amount: 42_99,
      pending_amount: 0,
      available_amount: 407_01,
      is_open: true,
      version: 1,
    },
  }),
]

beforeAll(() => {
  provide()
  register({ entities: [employee, invoice], commands: [...listCommands, clearFilters, refresh].flat() })
  registerPanes([employees])
})
let id = 104000
let one: Employee
beforeEach(async () => {
  asked = []
  described = true
  answer = () => json({ entries, lek: null })
  vi.stubGlobal('fetch', async (input: string | URL | Request) => {
    const url = new URL(input instanceof Request ? input.url : input, 'https://portal.example.com')
    if (url.pathname.endsWith('/config.json'))
      return json({ environment: 'sandbox', api: 'https://api.example.com/v1', application_key: 'public', version: '1' })
    if (url.pathname.endsWith('/openapi.json')) return described ? json(openApi) : json({}, 404)
    asked.push(url)
    return url.pathname.endsWith('/count') ? json({ count: entries.length, exact: true }) : answer(url)
  })
  // The grid renders the rows that fit.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600)
  setApplicationKey('key')
  setToken('token')
  await loadConfig()
  // Each test uses its own employee, since lists are cached.
  id += 1
  one = employeeLike(id, 'Mia', 'Torres')
  store.set(meAtom, adminWithout())
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function show(search = '') {
  await loadCapabilities()
  navigate(`/employees/${id}?tab=history${search}`)
  showAlone(<EmployeeHistory one={one} />)
}
const rows = () => screen.queryAllByRole('row').filter((row) => row.id !== '')
const cells = () => rows().map((row) => row.textContent)
const read = () => asked.filter(({ pathname }) => pathname.endsWith('/timeline')).map(({ search }) => search)

test('[SCR-044] every row names its kind, its subject, and the relevant figure', async () => {
  await show()
  await screen.findByText('Called back', { selector: 'strong' })
  expect(cells()).toEqual([
    expect.stringMatching(/^20 Nov 2026, \d\d:\d\d( EST)?NoteCalled backTom Berg$/),
    expect.stringMatching(/^19 Nov 2026, \d\d:\d\d( EST)?TransactionNorthrailComplete, 7\$40\.00$/),
    expect.stringMatching(/^18 Nov 2026, \d\d:\d\d( EST)?EventPausedAda Admin · Leave · Status: Active → Paused$/),
    '17 Nov 2026InvoiceINV-40001Paid, due 24 Nov 2026$120.00',
    '14 Nov 2026Balance14 Nov to 20 Nov 2026Taken of $450.00, $900.00 earned$42.99',
  ])
})

test('an event newer than the record has the record read again: one screen is consistent', async () => {
  upsertRecords(employee.name, [one])
  const paused = { ...one, status: 'PAUSED', version: one.version + 1 }
  const newerEntries = entries.map((entry) =>
    entry.kind === 'EVENT'
      ? { ...entry, event: { ...(entry as unknown as { event: object }).event, version: paused.version } }
      : entry,
  )
  answer = ({ pathname }) => json(pathname.endsWith('/timeline') ? { entries: newerEntries, lek: null } : paused)
  await show()
  await screen.findByText('Called back', { selector: 'strong' })
  await expect.poll(() => record(employee.name, String(id))).toMatchObject({ status: 'PAUSED' })
  expect(asked.filter(({ pathname }) => pathname.endsWith(`/employees/${id}`)).length).toBe(1)
})

test('an event that reverted another says so', () => {
  const [event] = entries.filter((entry) => entry.kind === 'EVENT') as [TimelineEntry & { kind: 'EVENT' }]
  const said = (undo?: boolean) => wordsOf({ ...event, event: { ...event.event, undo } }).what
  expect([said(), said(true)]).toEqual(['Paused', 'Paused (undo)'])
})

test('the entry under the cursor has details, and commands apply to its invoice', async () => {
  await show()
  const details = await screen.findByRole('region', { name: 'Details' })
  await screen.findByText('Note of Tom Berg')
  const list = store.get(tabListAtom)
  if (!list) throw new Error('No list is drawn in the tab.')
  act(() => moveTo(list, 2))
  await expect.poll(() => details.textContent).toBe('Paused by Ada AdminLeaveStatus: Active → Paused')
  act(() => store.set(regionAtom, 'tab'))
  expect(store.get(targetAtom)).toMatchObject({ entity: 'employee', ids: [String(id)] })
  act(() => moveTo(list, 3))
  await expect.poll(() => details.textContent).toContain('Harbor Foods, 7 Nov to 13 Nov 2026')
  expect(store.get(targetAtom)).toMatchObject({ entity: 'invoice', ids: ['40001'], count: 1 })
  act(() => store.set(regionAtom, 'detail'))
})

test('it is filtered by kind with one click and by event in the address, also without results', async () => {
  await show()
  await screen.findByText('Called back', { selector: 'strong' })
  answer = () => json({ entries: [], lek: null })
  fireEvent.click(screen.getByRole('button', { name: 'Transactions' }))
  await screen.findByText('No history entries match.')
  expect(read().at(-1)).toContain('kind=TRANSACTION')
  expect(screen.getByRole('button', { name: 'Transactions' }).getAttribute('aria-pressed')).toBe('true')
  cleanup()
  answer = () => json({ entries: entries.slice(2, 3), lek: null })
  await show('&history-status_type=is&history-status_value=Paused&history-category_type=is&history-category_value=user')
  await screen.findByText('Paused', { selector: 'strong' })
  expect(Object.fromEntries(new URLSearchParams(read().at(-1)))).toMatchObject({ status: 'Paused', category: 'user' })
})

test('an empty history and a failed read are reported; the latter can be retried', async () => {
  answer = () => json({ entries: [], lek: null })
  await show()
  await screen.findByText('Nothing has happened yet.')
  cleanup()
  // While the demo is still generating its history, the list says why it may be empty.
  const sentence = 'Past pay periods, time entries and transactions of the demo are still being made.'
  expect(screen.queryByText(sentence)).toBeNull()
  store.set(meAtom, { ...adminWithout(), demo: true, past_pending: true })
  for (const search of ['', '&history-kind_type=is&history-kind_value=TRANSACTION']) {
    id += 1
    one = employeeLike(id, 'Omar', 'Haddad')
    await show(search)
    await screen.findByText(sentence)
    cleanup()
  }
  id += 1
  one = employeeLike(id, 'Omar', 'Haddad')
  answer = () => json({ detail: 'The history is being moved.' }, 400)
  await show()
  expect((await screen.findByRole('alert')).textContent).toContain('The history is being moved.')
  expect(screen.getAllByRole('alert')).toHaveLength(1)
  answer = () => json({ entries, lek: null })
  fireEvent.click(screen.getByRole('button', { name: /^Try again/ }))
  await screen.findByText('Called back', { selector: 'strong' })
  expect(screen.queryByRole('alert')).toBeNull()
})

test('an inaccessible kind is not a view and not a value of the filter', async () => {
  store.set(meAtom, adminWithout('read:transactions', 'read:work-period-balances'))
  await show()
  await screen.findByText('Called back', { selector: 'strong' })
  const views = screen.getByRole('group', { name: 'Views' })
  expect(views.textContent).toBe('AllEventsInvoicesNotes')
  const [kind] = store.get(tabListAtom)?.definition.filters ?? []
  expect(kind?.field.options?.map(({ value }) => value)).toEqual(['EVENT', 'INVOICE', 'NOTE'])
})

test('against an API of the specification alone the tab shows the events', async () => {
  described = false
  answer = () => json({ events: [{ ...(entries[2] as { event?: object }).event, at: '2026-11-18T15:00:00Z' }], lek: null })
  await show()
  await screen.findByText('Paused', { selector: 'strong' })
  expect(screen.getByText('Status: Active → Paused')).toBeTruthy()
  expect(screen.queryByRole('grid')).toBeNull()
  expect(asked.map(({ pathname }) => pathname)).toEqual([`/v1/employees/${id}/events`])
})
