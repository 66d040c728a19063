import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import pause from '#commands/employee/pause.ts'
import undo from '#commands/session/undo.ts'
import type { Employee } from '#contract/employees.ts'
import { employee } from '#entities/employee.ts'
import type { Command } from '#kernel/command.ts'
import { loadCapabilities } from '#portal/api/capabilities.ts'
import { loadConfig } from '#portal/api/config.ts'
import { register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { showToast, toastsAtom } from '#portal/platform/toasts.ts'
import { addHistory, historyAtom, patchHistory, watchUndoKey } from '#portal/commands/history.ts'
import { putRun } from '#portal/commands/run-views.ts'
import { standsAgain, undoEntry, undoLast } from '#portal/commands/undo.ts'
import { RunPage } from '#portal/form/palette/run-page.tsx'
import { refreshedAtom } from '#portal/list/lists.ts'
import { upsertRecords } from '#portal/records/entity-store.ts'
import { meAtom, setApplicationKey, setToken } from '#portal/api/session.ts'
import { Toasts } from '#portal/shell/toasts.tsx'
import { showAlone } from '#tests/portal/alone.tsx'
import { adminWithout, employeeLike } from '#tests/support/examples.ts'

const command = pause as unknown as Command
const people: Record<'mia' | 'paul' | 'ana', [number, string, string]> = {
  mia: [1, 'Mia', 'Torres'],
  paul: [2, 'Paul', 'Adeyemi'],
  ana: [3, 'Ana', 'Reyes'],
}
type Name = keyof typeof people

const before = (name: Name) => employeeLike(...people[name], { version: 3 })
const pausedBy = { at: '2026-11-12T09:14:00Z', by: { id: '1', name: 'Priya Raman' }, reason: 'Leave', details: null }
const after = (name: Name, more: Partial<Employee> = {}) =>
  employeeLike(...people[name], { status: 'PAUSED', pause: pausedBy, version: 4, ...more })
const did = (name: Name) => ({ before: before(name), after: after(name), answers: [] })

/** The requested changes, and the answer of the API to each: by default success. */
let sent: string[]
let answer: (id: string) => Response | null
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
const stale = () =>
  json({ type: 'about:blank', title: 'Conflict', status: 409, code: 'stale-version', detail: 'It changed.' }, 409)

beforeEach(async () => {
  sent = []
  answer = () => null
  register({ entities: [employee], commands: [command, undo as Command] })
  vi.stubGlobal('fetch', async (input: URL | Request | string) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, 'https://portal.example.com')
    if (pathname.endsWith('openapi.json')) return json({ paths: { '/employees/{id}': { patch: {} } } })
    if (pathname.endsWith('config.json'))
      return json({ environment: 'local', api: '/api', application_key: 'public', version: '1' })
    const id = pathname.split('/').at(-1) as string
    sent.push(id)
    const name = Object.keys(people).find((each) => String(people[each as Name][0]) === id) as Name
    return answer(id) ?? json(employeeLike(...people[name], { version: 5 }))
  })
  await loadConfig()
  await loadCapabilities()
  store.set(meAtom, adminWithout())
  setApplicationKey('key')
  setToken('token')
  store.set(toastsAtom, [])
  for (const { id } of store.get(historyAtom)) patchHistory(id, { undone: true })
  upsertRecords('employee', [after('mia'), after('paul'), after('ana')])
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const paused = (name: Name) => {
  const target = { entity: 'employee', id: String(people[name][0]), title: people[name].slice(1).join(' ') }
  const sentence = `Paused ${target.title}`
  return addHistory({ command: command.id, title: command.title, sentence, target, params: {}, ...did(name) })
}

/** A batch of pauses by this page, as its page shows it. */
const pauseInBatch = (...names: Name[]) => {
  const run = `run of ${names.join()}`
  const rows = names.map(did)
  const one = { before: undefined, after: undefined, answers: [], rows, run, target: null, params: {} }
  const entry = addHistory({ command: command.id, title: command.title, sentence: 'Pause employee: done', ...one })
  const none = { waiting: 0, blocked: 0, failed: 0, stopped: 0, kept: 0, undoUntil: null, undoes: false, note: null, seen: true }
  const results = names.map((name) => ({
    ...{ id: String(people[name][0]), title: people[name].slice(1).join(' '), state: 'done' as const, sentence: null },
  }))
  const counts = { total: names.length, done: names.length, rows: results }
  putRun({ ...none, ...counts, id: run, command, where: 'here', state: 'done', entry })
  return { run, entry }
}

const toastSentences = () => store.get(toastsAtom).map(({ sentence }) => sentence)
const entryOf = (id: string) => store.get(historyAtom).find((each) => each.id === id)

test('a record changed since is refused once, and then the action before it is undone', async () => {
  paused('mia')
  const second = paused('paul')
  upsertRecords('employee', [employeeLike(...people.paul, { version: 5 })])
  await undoLast()
  expect(toastSentences()).toEqual(['Paul Adeyemi has changed since; undo would overwrite that.'])
  expect(sent).toEqual([])
  await undoLast()
  expect(toastSentences().at(-1)).toBe('Pause undone for Mia Torres')
  expect(sent).toEqual(['1'])
  await undoLast()
  expect(toastSentences().at(-1)).toBe('There is nothing to undo.')
  // Asking for it by name gets the refusal again.
  await undoEntry(second)
  expect(toastSentences().at(-1)).toBe('Paul Adeyemi has changed since; undo would overwrite that.')
})

test('a record whose change only the server knows is refused once, too', async () => {
  paused('mia')
  paused('paul')
  answer = (id) => (id === '2' ? stale() : null)
  await undoLast()
  expect(toastSentences()).toEqual(['Paul Adeyemi has changed since; undo would overwrite that.'])
  await undoLast()
  expect(toastSentences().at(-1)).toBe('Pause undone for Mia Torres')
  expect(sent).toEqual(['2', '1'])
})

test('an action without undo is reported once, with the next candidate; old ones are skipped', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-28T14:00:00Z'), toFake: ['Date'] })
  const withdrew = () => {
    const target = { entity: 'employee', id: '2', title: 'Paul Adeyemi' }
    const one = { command: command.id, title: 'Withdraw invitation of admin', sentence: 'Withdrew the invitation', params: {} }
    addHistory({ ...one, target, noUndo: 'Withdraw invitation of admin cannot be undone.', ...did('paul') })
  }
  paused('mia')
  withdrew()
  vi.setSystemTime(Date.parse('2026-11-28T14:03:10Z'))
  await undoLast()
  const last = () => store.get(toastsAtom).at(-1)
  expect(last()).toMatchObject({
    sentence: 'Withdraw invitation of admin cannot be undone.',
    detail: 'Withdrew the invitation, 3 minutes ago. Undo once more to take back: Paused Mia Torres.',
  })
  await undoLast()
  expect(last()?.sentence).toBe('Pause undone for Mia Torres')
  withdrew()
  vi.setSystemTime(Date.parse('2026-11-28T14:13:11Z'))
  await undoLast()
  expect(last()?.sentence).toBe('There is nothing to undo.')
  vi.useRealTimers()
})

test('the visible lists are read again before an undo is reported, of one and of several', async () => {
  const toastsAtRefresh: number[] = []
  const stop = store.sub(refreshedAtom, () => toastsAtRefresh.push(toastSentences().length))
  paused('mia')
  await undoLast()
  expect([toastsAtRefresh, toastSentences()]).toEqual([[0], ['Pause undone for Mia Torres']])
  pauseInBatch('paul', 'ana')
  await undoLast()
  expect([toastsAtRefresh, toastSentences().at(-1)]).toEqual([[0, 1], 'Pause undone for 2 employees'])
  stop()
})

test('an undo refused for another reason is retried', async () => {
  paused('mia')
  const second = paused('paul')
  const owes = { type: 'about:blank', title: 'Conflict', status: 409, code: 'cannot-resume', detail: 'It was not recovered.' }
  answer = () => json(owes, 409)
  await undoLast()
  expect(toastSentences()).toEqual(['It was not recovered.'])
  expect(entryOf(second)).toMatchObject({ undone: false })
  answer = () => null
  await undoLast()
  expect(toastSentences().at(-1)).toBe('Pause undone for Paul Adeyemi')
  expect(sent).toEqual(['2', '2'])
})

test('a refused one is undone after all once the change that blocked it is undone', async () => {
  const first = paused('paul')
  upsertRecords('employee', [after('paul', { version: 5 })])
  const target = { entity: 'employee', id: '2', title: 'Paul Adeyemi' }
  const changed = { before: after('paul'), after: after('paul', { version: 5 }), answers: [] }
  const second = addHistory({ command: command.id, title: command.title, sentence: 'Again', target, params: {}, ...changed })
  await undoEntry(first)
  expect(entryOf(first)?.refused).toMatch(/has changed since/)
  // By its undo: the pause of this example has none, so the portal is notified directly.
  const now = after('paul', { version: 6 })
  upsertRecords('employee', [now])
  patchHistory(second, { undone: true })
  standsAgain(entryOf(second) as never, now)
  await undoLast()
  expect(toastSentences().at(-1)).toBe('Pause undone for Paul Adeyemi')
})

test('rows of a run that changed since are not offered for undo again; the others are', async () => {
  const { run, entry } = pauseInBatch('mia', 'paul', 'ana')
  upsertRecords('employee', [employeeLike(...people.paul, { version: 5 })])
  answer = (id) =>
    id === '3' ? json({ title: 'Conflict', status: 409, code: 'cannot-resume', detail: 'It was not recovered.' }, 409) : null
  showAlone(<RunPage page={{ kind: 'run', run }} />)
  await screen.findByRole('button', { name: /^Undo 3/ })
  await undoEntry(entry)
  await screen.findByRole('button', { name: /^Undo 1/ })
  expect(entryOf(entry)).toMatchObject({ undone: false, kept: 2 })
  answer = () => null
  await undoEntry(entry)
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull())
  expect(entryOf(entry)).toMatchObject({ undone: true, kept: 1 })
})

test('a run without anything left to undo is no longer offered, and blocks nothing', async () => {
  paused('mia')
  const { run, entry } = pauseInBatch('paul')
  upsertRecords('employee', [employeeLike(...people.paul, { version: 5 })])
  showAlone(<RunPage page={{ kind: 'run', run }} />)
  await screen.findByRole('button', { name: /^Undo 1/ })
  await undoLast()
  expect(toastSentences()).toEqual(['Pause undone for 0 of 1 employee.'])
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull())
  expect(entryOf(entry)).toMatchObject({ undone: false })
  await undoLast()
  expect(toastSentences().at(-1)).toBe('Pause undone for Mia Torres')
})

test('a refusal by the server for a run is reported once, and then the action before is undone', async () => {
  paused('mia')
  const { run, entry } = pauseInBatch('paul', 'ana')
  answer = (id) =>
    id === '3'
      ? json({ type: 'about:blank', title: 'Conflict', status: 409, code: 'cannot-resume', detail: 'It was not recovered.' }, 409)
      : null
  await undoLast()
  const last = () => store.get(toastsAtom).at(-1)
  expect(last()).toMatchObject({
    sentence: 'Pause undone for 1 of 2 employees.',
    detail: 'It was not recovered. Undo once more to take back: Paused Mia Torres.',
  })
  await undoLast()
  expect(last()?.sentence).toBe('Pause undone for Mia Torres')
  await undoLast()
  expect(last()?.sentence).toBe('There is nothing to undo.')
  expect(sent.toSorted()).toEqual(['1', '2', '3'])
  // Its page still offers it: the server may accept it later.
  showAlone(<RunPage page={{ kind: 'run', run }} />)
  await screen.findByRole('button', { name: /^Undo 1/ })
  answer = () => null
  await undoEntry(entry)
  expect(entryOf(entry)).toMatchObject({ undone: true, kept: 0 })
})

test('a run with an unusable answer remains the next to undo', async () => {
  paused('mia')
  pauseInBatch('paul', 'ana')
  answer = (id) =>
    id === '3' ? json({ type: 'about:blank', title: 'Busy', status: 429, code: 'too-many-attempts', detail: 'Wait.' }, 429) : null
  await undoLast()
  expect(toastSentences().at(-1)).toBe('Pause undone for 1 of 2 employees.')
  answer = () => null
  await undoLast()
  expect([toastSentences().at(-1), sent.at(-1)]).toEqual(['Pause undone for 1 employee', '3'])
})

test('an action that is out of reach is reported once, also for a single record', async () => {
  paused('mia')
  paused('paul')
  answer = (id) =>
    id === '2'
      ? json({ type: 'about:blank', title: 'Not found', status: 404, code: 'not-found', detail: 'Out of reach.' }, 404)
      : null
  await undoLast()
  expect(store.get(toastsAtom).at(-1)).toMatchObject({
    sentence: 'Out of reach.',
    detail: 'Paused Paul Adeyemi. Undo once more to take back: Paused Mia Torres.',
  })
  await undoLast()
  expect(toastSentences().at(-1)).toBe('Pause undone for Mia Torres')
})

test('the next undo names only undoable actions; without any, that is reported', async () => {
  const imported = (of: Name) => {
    const target = { entity: 'employee', id: String(people[of][0]), title: people[of].slice(1).join(' ') }
    const one = { command: command.id, title: 'Import all the same', sentence: `Received ${of}.csv`, params: {} }
    addHistory({ ...one, target, noUndo: 'Import all the same cannot be undone.', ...did(of) })
  }
  paused('mia')
  imported('paul')
  imported('ana')
  const last = () => store.get(toastsAtom).at(-1)
  await undoLast()
  expect(last()?.detail).toBe('Received ana.csv. Undo once more to take back: Paused Mia Torres.')
  await undoLast()
  expect(last()?.sentence).toBe('Pause undone for Mia Torres')
  imported('paul')
  imported('ana')
  await undoLast()
  expect(last()).toMatchObject({
    sentence: 'Import all the same cannot be undone.',
    detail: 'Received ana.csv. Nothing that was done before it can be undone.',
  })
  await undoLast()
  expect(last()?.sentence).toBe('There is nothing to undo.')
})

test('a toast offers the key only where the key is about it, and a run in progress is named', async () => {
  const stop = watchUndoKey()
  showToast('Paused Mia Torres', { tone: 'good', undo: paused('mia') })
  showAlone(<Toasts />)
  const offer = () => screen.getByRole('button', { name: /^Undo/ }).textContent
  expect(offer()).toMatch(/Z/)
  const one = { before: undefined, after: undefined, answers: [], target: null, params: {} }
  const run = { command: command.id, title: command.title, sentence: 'Pause employee: 2 of 30 done', goes: 'on' as const, ...one }
  const entry = addHistory({ ...run, run: 'run B', rows: [] })
  await vi.waitFor(() => expect(offer()).toBe('Undo '))
  await undoLast()
  expect(store.get(toastsAtom).at(-1)).toMatchObject({
    sentence: 'This run is still under way. Stop it first, or wait for its end.',
    detail: expect.stringMatching(/^Pause employee: 2 of 30 done\. /),
  })
  patchHistory(entry, { undone: true, goes: undefined })
  await vi.waitFor(() => expect(offer()).toMatch(/Z/))
  stop()
})
