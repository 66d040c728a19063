import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import pause from '#commands/employee/pause.ts'
import openNotices from '#commands/open/notices.ts'
import type { Import } from '#contract/imports.ts'
import type { Run } from '#contract/runs.ts'
import type { PermissionName } from '#domain/permissions.ts'
import { employee } from '#entities/employee.ts'
import { importedFile } from '#entities/import.ts'
import { writeOff } from '#entities/write-off.ts'
import { deduction } from '#entities/deduction.ts'
import type { Command } from '#kernel/command.ts'
import { loadCapabilities } from '#portal/api/capabilities.ts'
import { loadConfig } from '#portal/api/config.ts'
import { meAtom, setApplicationKey, setToken } from '#portal/api/session.ts'
import { navigate } from '#portal/platform/location.ts'
import { register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { announce, spokenAtom } from '#portal/platform/toasts.ts'
import noticesScreen from '#portal/shell/notices/notices.screen.tsx'
import { UnreadNotices } from '#portal/shell/notices/unread-notices.tsx'
import { readNotices } from '#portal/shell/notices/watch-notices.ts'
import type { ScreenProps } from '#portal/ui/screen.ts'
import { showAlone } from '#tests/portal/alone.tsx'
import { adminWithout } from '#tests/support/examples.ts'

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
const problem = (status: number, code: string, detail: string) =>
  json({ type: 'about:blank', title: 'Problem', status, code, detail }, status)

const run = (more: Partial<Run> = {}): Run => ({
  id: '00000000-0000-4000-8000-000000000001',
  intent: 'employee.pause',
  command: 'employee.pause',
  state: 'done',
  total: 100,
  waiting: 0,
  done: 98,
  blocked: 2,
  failed: 0,
  created_at: ago(31),
  finished_at: ago(30),
  undoes: null,
  undone_by: null,
  undo_until: null,
  problems: [],
  ...more,
})
const upload = (more: Partial<Import> = {}) =>
  ({
    id: 12,
    organization_name: 'Harbor Group',
    employer_name: 'Harbor Foods',
    file_name: 'staff_ee.csv',
    status: 'FAIL',
    message: 'File mapping not found',
    questions: [],
    rejected: 0,
    part_of: null,
    received_at: ago(11),
    finished_at: ago(10),
    version: 1,
    ...more,
  }) as Import

/** Another person in each test: what was read is kept by person. */
let people = 0
const me = (...lacks: readonly PermissionName[]) => {
  const admin = adminWithout(...lacks)
  return { ...admin, person: { ...admin.person, id: `person-${people}` } }
}

let runs: Run[]
let imports: Import[]
let pendingWriteOffs: number
let paths: Record<string, unknown>
/** The answer of a call by its path instead of the usual one. */
let refusals: Record<string, () => Response>
let asked: string[]

const parameter = (name: string) => ({ in: 'query', name })
const list = (...names: string[]) => ({ get: { parameters: names.map(parameter) } })

beforeEach(async () => {
  people += 1
  runs = [run()]
  imports = [upload()]
  pendingWriteOffs = 3
  refusals = {}
  asked = []
  paths = {
    '/runs': { get: {} },
    '/imports': list('mine', 'status', 'received-from', 'received-to', 'limit', 'waiting'),
    '/imports/count': list('waiting'),
    '/write-offs/count': list('status'),
    '/deductions/count': list('status'),
  }
  vi.stubGlobal('fetch', async (input: URL | Request | string) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input, 'https://portal.example.com')
    const path = pathname.replace(/^\/api/, '')
    if (path.endsWith('openapi.json')) return json({ paths })
    if (path.endsWith('config.json')) return json({ environment: 'local', api: '/api', application_key: 'public', version: '1' })
    asked.push(path + search)
    const refusal = refusals[path]
    if (refusal) return refusal()
    if (path === '/runs') return json({ runs })
    if (path === '/imports') return json({ imports, lek: null })
    return json({ count: path === '/write-offs/count' ? pendingWriteOffs : 0, exact: true, totals: {} })
  })
  register({
    entities: [employee, importedFile, writeOff, deduction],
    commands: [pause, openNotices] as unknown as Command[],
  })
  await loadConfig()
  await loadCapabilities()
  setApplicationKey('key')
  setToken('token')
  store.set(meAtom, me())
  navigate('/notices')
  announce('')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  store.set(meAtom, null)
})

const Body = (noticesScreen as unknown as { body: ComponentType<ScreenProps> }).body
const showPage = () =>
  showAlone(
    <>
      <Body id={null} leave={() => {}} />
      <UnreadNotices />
    </>,
  )
const rows = () => [...document.querySelectorAll<HTMLElement>('[data-line]')]
const sentences = () => rows().map((row) => row.querySelector('.notice-sentence')?.textContent)
const there = (count: number) => vi.waitFor(() => expect(rows()).toHaveLength(count))
const badge = () => screen.queryByRole('button', { name: /^\d+ notices?/ })?.textContent?.match(/^\d+ notices?/)?.[0] ?? null
const read = () => act(async () => readNotices())

test('decisions come first, then what ended, newest first, each with what happened', async () => {
  showPage()
  await there(3)
  expect(sentences()).toEqual([
    'Unread: Write-offs to approve: 3',
    'Unread: staff_ee.csv was not imported',
    'Unread: Pause employee: ended, not all done',
  ])
  expect(rows()[2]?.textContent).toContain('98 of 100 rows done, 2 refused')
  expect(badge()).toBe('3 notices')
  const query = new URLSearchParams(asked.find((path) => path.startsWith('/imports?'))?.split('?')[1])
  expect([query.get('mine'), query.get('status')]).toEqual(['YES', 'PAUSED,SUCCESS,FAIL,DUPLICATED'])
})

test('what is under way, and a part of a file that was imported, are no notices', async () => {
  runs = [run({ state: 'running', finished_at: null })]
  imports = [upload({ status: 'SUCCESS', part_of: 11 }), upload({ id: 13, status: 'SUCCESS', rejected: 4, part_of: 11 })]
  pendingWriteOffs = 0
  showPage()
  await there(1)
  expect(sentences()).toEqual(['Unread: staff_ee.csv was imported without 4 lines'])
})

test('Space marks a notice as read and unread, Shift+R all; only ids are stored', async () => {
  showPage()
  await there(3)
  await vi.waitFor(() => expect(document.activeElement).toBe(rows()[0]))
  const press = (key: string, more: object = {}) => fireEvent.keyDown(document.activeElement as Element, { key, ...more })
  press('ArrowDown')
  press(' ', { code: 'Space' })
  expect(sentences()[1]).toBe('staff_ee.csv was not imported')
  expect(badge()).toBe('2 notices')
  press(' ', { code: 'Space' })
  expect(badge()).toBe('3 notices')
  press('R', { shiftKey: true })
  expect(badge()).toBeNull()
  screen.getByText('All read')
  const stored = localStorage.getItem(`admin-portal.notices.person-${people}`) as string
  expect(JSON.parse(stored)).toEqual({
    keys: [expect.stringMatching(/^import 12 FAIL /), expect.stringMatching(/^run 00000000-/)],
    counts: { 'decision write-offs-to-approve': 3 },
  })
})

test('opening a notice marks it as read and leads to its record', async () => {
  showPage()
  await there(3)
  fireEvent.click(rows()[1] as Element)
  expect(location.pathname).toBe('/imports/12')
  expect(badge()).toBe('2 notices')
})

test('the same record in another state is unread again', async () => {
  showPage()
  await there(3)
  fireEvent.keyDown(rows()[0] as Element, { key: 'R', shiftKey: true })
  imports = [upload({ status: 'SUCCESS', finished_at: ago(1) })]
  await read()
  await vi.waitFor(() => expect(sentences()[1]).toBe('Unread: staff_ee.csv was imported'))
})

test('a decision is unread again only if more rows wait than when it was read', async () => {
  showPage()
  await there(3)
  fireEvent.keyDown(rows()[0] as Element, { key: 'R', shiftKey: true })
  const waits = async (count: number) => {
    pendingWriteOffs = count
    await read()
    await vi.waitFor(() => expect(sentences().some((text) => text?.endsWith(`approve: ${count}`))).toBe(count > 0))
  }
  await waits(2)
  expect(badge()).toBeNull()
  await waits(3)
  expect(badge()).toBe('1 notice')
  fireEvent.keyDown(rows()[0] as Element, { key: 'R', shiftKey: true })
  await waits(0)
  await waits(1)
  expect(badge()).toBe('1 notice')
})

test('only new notices are announced, and none when the page opens', async () => {
  showPage()
  await there(3)
  expect(store.get(spokenAtom).sentence).toBe('')
  imports = [...imports, upload({ id: 13, status: 'PAUSED', finished_at: null, file_name: 'hours_tk.csv' })]
  await read()
  await there(4)
  expect(store.get(spokenAtom)).toMatchObject({ sentence: 'New notice: hours_tk.csv waits for a decision.', assertive: false })
})

test('after a failure the notices stay and say so, and are read again on request', async () => {
  showPage()
  await there(3)
  refusals['/runs'] = () => problem(500, 'failed', 'The database is restarting.')
  await read()
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Some notices could not be refreshed.')
  expect(rows()).toHaveLength(3)
  refusals = {}
  await act(async () => fireEvent.click(screen.getByRole('button', { name: /^Try again/ })))
  await vi.waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})

test('without any answer the page says so instead of that nothing waits', async () => {
  for (const path of ['/runs', '/imports']) refusals[path] = () => problem(503, 'unavailable', 'Try again later.')
  pendingWriteOffs = 0
  showPage()
  await screen.findByRole('alert')
  expect(screen.queryByText(/^Nothing has ended/)).toBeNull()
})

test('what the person may no longer read disappears', async () => {
  showPage()
  await there(3)
  refusals['/imports'] = () => problem(403, 'permission-denied', "You don't have permission to take this action.")
  store.set(meAtom, me('write:integrations', 'approve:write-offs'))
  await read()
  await there(1)
  expect(sentences()).toEqual(['Unread: Pause employee: ended, not all done'])
  expect(screen.queryByRole('alert')).toBeNull()
})

test('an API that cannot say whose uploads these are is not asked for them', async () => {
  paths['/imports'] = list('status', 'limit')
  await loadCapabilities()
  showPage()
  await there(2)
  expect(asked.filter((path) => path.startsWith('/imports?'))).toEqual([])
})
