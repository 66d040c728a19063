import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import pause from '#commands/employee/pause.ts'
import type { Run } from '#contract/runs.ts'
import { runOutOfReach } from '#domain/undo.ts'
import { employee } from '#entities/employee.ts'
import type { Command } from '#kernel/command.ts'
import { loadCapabilities } from '#portal/api/capabilities.ts'
import { loadConfig } from '#portal/api/config.ts'
import { register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { toastsAtom } from '#portal/platform/toasts.ts'
import { addRunToHistory, historyAtom, patchHistory } from '#portal/commands/history.ts'
import { dryRunOnServer, loadRun, runOnServer } from '#portal/commands/server-runs.ts'
import { undoLast } from '#portal/commands/undo.ts'
import { RunPage } from '#portal/form/palette/run-page.tsx'
import { refreshedAtom } from '#portal/list/lists.ts'
import { deniedAtom, meAtom, setApplicationKey, setToken } from '#portal/api/session.ts'
import { showAlone } from '#tests/portal/alone.tsx'
import { adminWithout } from '#tests/support/examples.ts'

const command = pause as unknown as Command
const at = new Date().toISOString()
const missing = "This record doesn't exist, or you don't have access to it."
let run: Run
let undo: Response
/** The refusal of a start; null where it succeeds. */
let refused: Response | null

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

beforeEach(async () => {
  const id = crypto.randomUUID()
  const counts = { total: 3, waiting: 0, done: 2, blocked: 0, failed: 1 }
  const problems = [{ target_id: '3', title: '3', state: 'failed' as const, message: missing }]
  const none = { undoes: null, undone_by: null, undo_until: null }
  run = {
    id,
    intent: 'employee.pause',
    command: command.id,
    state: 'done',
    ...counts,
    ...none,
    problems,
    created_at: at,
    finished_at: at,
  }
  refused = null
  undo = json({ type: 'about:blank', title: 'Not found', status: 404, code: 'not-found', detail: runOutOfReach }, 404)
  register({ entities: [employee], commands: [command] })
  vi.stubGlobal('fetch', async (input: URL | Request | string) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, 'https://portal.example.com')
    if (pathname.endsWith('openapi.json'))
      return json({ paths: { '/runs': { get: {}, post: {} }, '/runs/{id}': { get: {} }, '/runs/{id}/undo': { post: {} } } })
    if (pathname.endsWith('config.json'))
      return json({ environment: 'local', api: '/api', application_key: 'public', version: '1' })
    if (pathname.endsWith('/undo')) return undo
    return refused ?? json(run)
  })
  await loadConfig()
  await loadCapabilities()
  store.set(meAtom, adminWithout())
  setApplicationKey('key')
  setToken('token')
  store.set(toastsAtom, [])
  for (const each of store.get(historyAtom)) patchHistory(each.id, { undone: true })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const did = (more: object = {}) => {
  const entry = addRunToHistory(command, { run: run.id, params: {}, sentence: 'Pause employee: 2 done' })
  patchHistory(entry, more)
}
const last = () => store.get(toastsAtom).at(-1)
const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent?.split(' ')[0])

test('a run out of reach says that somebody else must undo it, without undo and retry', async () => {
  run = { ...run, out_of_reach: true }
  did()
  await loadRun(run.id)
  showAlone(<RunPage page={{ kind: 'run', run: run.id }} />)
  await screen.findByText(runOutOfReach)
  expect(buttons()).toEqual(['Close'])
  await undoLast()
  expect(last()).toMatchObject({
    sentence: runOutOfReach,
    detail: 'Pause employee: 2 done. Nothing that was done before it can be undone.',
  })
  await undoLast()
  expect(last()?.sentence).toBe('There is nothing to undo.')
})

test('a run out of reach since its end is offered until that is known, and then no longer', async () => {
  const until = Date.now() + 60_000
  run = { ...run, undo_until: new Date(until).toISOString() }
  did({ undoUntil: until })
  await loadRun(run.id)
  showAlone(<RunPage page={{ kind: 'run', run: run.id }} />)
  await screen.findByRole('button', { name: /^Undo 2/ })
  expect(buttons()).toEqual(['Undo', 'Retry', 'Close'])
  await undoLast()
  expect(last()?.sentence).toBe(runOutOfReach)
  await vi.waitFor(() => expect(buttons()).toEqual(['Close']))
  await undoLast()
  expect(last()?.sentence).toBe('There is nothing to undo.')
})

test('where rows of a run would fail, the rights are read again', async () => {
  const before = store.get(deniedAtom)
  const targets = { entity: 'employee', ids: ['1', '2', '3'], filter: null, count: 3 }
  run = { ...run, failed: 0, problems: [] }
  await dryRunOnServer(command, targets, {})
  expect(store.get(deniedAtom)).toBe(before)
  run = { ...run, failed: 1 }
  await dryRunOnServer(command, targets, {})
  expect(store.get(deniedAtom)).toBe(before + 1)
})

test('a run without any accessible row has lists and rights read again', async () => {
  const [denied, refreshed] = [store.get(deniedAtom), store.get(refreshedAtom)]
  const targets = { entity: 'employee', ids: [], filter: { 'employer-id': '7' }, count: 3 }
  const detail = 'None of these is left.'
  refused = json({ type: 'about:blank', title: 'Not found', status: 404, code: 'not-found', detail }, 404)
  await expect(runOnServer(command, targets, {}, run)).rejects.toThrow(detail)
  expect([store.get(deniedAtom) - denied, store.get(refreshedAtom) - refreshed]).toEqual([1, 1])
  const errors = [{ path: 'targets', message: 'There are no records to change.' }]
  refused = json({ type: 'about:blank', title: 'Invalid', status: 422, code: 'validation-failed', detail: 'No.', errors }, 422)
  await expect(dryRunOnServer(command, targets, {})).rejects.toThrow('No.')
  expect([store.get(deniedAtom) - denied, store.get(refreshedAtom) - refreshed]).toEqual([2, 2])
})
