import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import approveCommand from '#commands/write-off/approve.ts'
import rejectCommand from '#commands/write-off/reject.ts'
import type { WriteOff } from '#contract/write-offs.ts'
import { writeOff } from '#entities/write-off.ts'
import type { Command } from '#kernel/command.ts'
import { loadCapabilities } from '#portal/api/capabilities.ts'
import { loadConfig } from '#portal/api/config.ts'
import { register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { change, runsAtom } from '#portal/commands/run-views.ts'
import { idsUnderWay, retryTheRun, runHere } from '#portal/commands/runs.ts'
import { addRunToHistory, endInHistory } from '#portal/commands/history.ts'
import { undoEntry } from '#portal/commands/undo.ts'
import { BulkForm } from '#portal/form/palette/bulk-form.tsx'
import { RunPage } from '#portal/form/palette/run-page.tsx'
import { closePalette, type Page } from '#portal/commands/palette-state.ts'
import type { Targets } from '#portal/platform/commands.ts'
import { meAtom, setApplicationKey, setToken } from '#portal/api/session.ts'
import { showAlone, tasksDone } from '#tests/portal/alone.tsx'
import { adminWithout } from '#tests/support/examples.ts'

const approve = approveCommand as unknown as Command
const reject = rejectCommand as unknown as Command
const amounts: Readonly<Record<number, number>> = { 1: 33_00, 2: 11_00 }
const waiting = (id: number): WriteOff => ({
  id,
  invoice_id: 40_100 + id,
  invoice_number: `INV-${40_100 + id}`,
  invoice_status: 'SENT',
  invoice_version: 1,
  employer: { id: 1, name: 'Harbor Works 1' },
  organization: { id: 1, name: 'Harbor' },
  line_id: id,
  employee_id: id,
  employee_name: `Mia ${id}`,
  suggested_amount: amounts[id] ?? 20_00,
  approved_amount: null,
  reason: 'OTHER',
  details: null,
  status: 'PENDING',
  suggested_by: { id: 'tom', name: 'Tom Berg' },
  suggested_at: '2026-11-20T10:00:00.000Z',
  own: false,
  decided_by: null,
  decided_at: null,
  decision_reason: null,
  comments: null,
  updated_at: '2026-11-20T10:00:00.000Z',
  version: 1,
})
const targets = (...ids: string[]): Targets => ({ entity: 'write-off', ids, filter: null, count: ids.length })
const show = (of: Targets) => {
  const page = { kind: 'form', command: approve.id, targets: of } as Extract<Page, { kind: 'form' }>
  showAlone(<BulkForm command={approve} page={page} />)
}

/** Write-offs as the API currently returns them, and the calls that were sent. */
let stands: Record<string, Partial<WriteOff>>
let sent: { path: string; body: Record<string, unknown> }[]

beforeEach(async () => {
  sent = []
  stands = {}
  register({ entities: [writeOff], commands: [approve, reject] })
  vi.stubGlobal('fetch', async (input: Request | URL | string) => {
    const request = input instanceof Request ? input : new Request(new URL(input, 'https://portal.example.com'))
    const path = new URL(request.url).pathname.replace('/api', '')
    const json = (body: unknown, status = 200) =>
      new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
    const paths = {
      '/write-offs/{id}': { get: {} },
      '/write-offs/{id}/approve': { post: {} },
      '/write-offs/{id}/reject': { post: {} },
      '/write-offs/{id}/reverse': { post: {} },
      '/invoices/{id}': { get: {} },
      '/runs': { post: {}, get: {} },
      '/runs/{id}': { get: {} },
    }
    if (path.endsWith('openapi.json')) return json({ paths })
    if (path.endsWith('config.json')) return json({ environment: 'local', api: '/api', application_key: 'public', version: '1' })
    const id = /^\/write-offs\/(\d+)$/.exec(path)?.[1]
    if (id) return json({ ...waiting(Number.parseInt(id, 10)), ...stands[id] })
    if (path.endsWith('/1/reject'))
      return json({ type: 'about:blank', title: 'Conflict', status: 409, code: 'already-decided' }, 409)
    if (path.endsWith('/2/reject')) return json({ ...waiting(2), status: 'REJECTED', version: 2 })
    const reversed = /^\/write-offs\/(\d+)\/reverse$/.exec(path)?.[1]
    if (reversed) {
      sent.push({ path, body: (await request.json()) as Record<string, unknown> })
      for (const each of Object.values(stands)) each.invoice_version = (each.invoice_version ?? 0) + 1
      return json({ ...waiting(Number.parseInt(reversed, 10)), ...stands[reversed], status: 'REVERSED', version: 3 })
    }
    if (path.startsWith('/invoices')) return new Promise<Response>(() => {})
    const run = {
      ...{ id: crypto.randomUUID(), intent: 'write-off.approve', command: approve.id, state: 'done', total: 4, waiting: 4 },
      ...{ done: 0, blocked: 0, failed: 0, created_at: '2026-11-20T10:00:00.000Z', finished_at: null, undoes: null },
      ...{ undone_by: null, undo_until: null, problems: [] },
    }
    if (path.startsWith('/runs/')) return json({ ...run, waiting: 0, done: 4 })
    sent.push({ path, body: (await request.json()) as Record<string, unknown> })
    const [{ amount }] = sent.slice(-1).map(({ body }) => body['body'] as { amount?: number }) as [{ amount?: number }]
    const moved = amount === undefined ? 691_60 : 4 * amount
    const state = sent.at(-1)?.body['dry_run'] ? 'done' : 'running'
    return json({ ...run, state, undo_refused: [], amounts: { moved, left: 691_60 - moved } }, 201)
  })
  await loadConfig()
  await loadCapabilities()
  setApplicationKey('key')
  setToken('token')
  store.set(meAtom, adminWithout())
})
afterEach(() => {
  cleanup()
  closePalette()
  store.set(runsAtom, new Map())
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
})

const amount = () => screen.getByLabelText<HTMLInputElement>(/Approved amount of each/)
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })

test('of several write-offs each is approved in full; one amount shows approvals and rejections', async () => {
  show(targets('1', '2'))
  await screen.findByText('2 eligible, $44.00 in all')
  expect(amount().value).toBe('')
  screen.getByText('$44.00 approved, each in full.')
  type(amount(), '5')
  await screen.findByText('2 eligible, $10.00 in all')
  screen.getByText('$10.00 approved ($5.00 of each), $34.00 rejected.')
  type(amount(), '12')
  await screen.findByText('1 eligible, 1 blocked, $12.00 in all')
  screen.getByText('The approved amount cannot exceed the suggested amount.')
  screen.getByRole('button', { name: /Approve 1 write-off/ })
  fireEvent.input(amount(), { target: { value: '12*' }, data: '*', inputType: 'insertText' })
  await screen.findByText('$44.00 approved, each in full.')
  expect(amount().value).toBe('')
})

test('[SCR-053] a run on the server shows the total before it is sent, and sends what the person saw', async () => {
  const filter = { status: 'PENDING' }
  show({ ...targets(), filter, count: 4 })
  type(await screen.findByLabelText(/^Reason/), 'Left')
  type(amount(), '20')
  const send = () => fireEvent.keyDown(amount(), { key: 'Enter', ctrlKey: true })
  await tasksDone()
  send()
  await screen.findByText('4 eligible, $80.00 in all')
  screen.getByText('$80.00 approved ($20.00 of each), $611.60 rejected.')
  type(amount(), '')
  // The total for another amount is no longer shown, and is not sent.
  await screen.findByRole('button', { name: /Preview/ })
  expect(screen.queryByText(/in all/)).toBeNull()
  send()
  await screen.findByText('4 eligible, $691.60 in all')
  screen.getByText('$691.60 approved, each in full.')
  type(screen.getByLabelText(/Type 4/), '4')
  send()
  await waitFor(() => expect(sent).toHaveLength(3))
  expect(sent[2]).toMatchObject({
    path: '/runs',
    body: { body: { reason: 'Left' }, targets: { filter }, eligible: 4, moved: 691_60 },
  })
  expect(sent[2]?.body).not.toHaveProperty('body.amount')
  await waitFor(
    () => expect([...store.get(runsAtom).values()]).toMatchObject([{ done: 4, says: '$691.60 approved, each in full.' }]),
    {
      timeout: 3_000,
    },
  )
})

test('rows of a run in progress on this page are blocked in the preview of another one', async () => {
  const run = runHere(approve, targets('1', '2'), [waiting(1), waiting(2)], { reason: 'First' })
  await waitFor(() => expect([...idsUnderWay(writeOff)]).toEqual(['1', '2']))
  show(targets('1', '2', '3'))
  await screen.findByText('1 eligible, 2 blocked, $20.00 in all')
  screen.getByText('Part of a run that is under way.')
  change(run, { state: 'done' })
  expect(idsUnderWay(writeOff).size).toBe(0)
})

test('the total of a run and the number without undo cover only the finished rows', async () => {
  const run = runHere(reject, targets('1', '2'), [waiting(1), waiting(2)], { reason: 'No' }, { kept: ['1', '2'] })
  await waitFor(() => expect(store.get(runsAtom).get(run)).toMatchObject({ state: 'done', done: 1, blocked: 1 }))
  expect(store.get(runsAtom).get(run)).toMatchObject({ kept: 1, says: '$11.00 in all.' })
  showAlone(<RunPage page={{ kind: 'run', run }} />)
  screen.getByText('$11.00 in all.')
  // Undone rows count for nothing.
  act(() => change(run, { undone: ['1'] }))
  expect(screen.queryByText('$11.00 in all.')).toBeNull()
})

test('rows refused in the preview stay in the result with their reasons, also after a retry', async () => {
  const other = { row: waiting(3), sentence: 'Suggested by yourself.' }
  const run = runHere(reject, targets('1', '2', '3'), [waiting(1), waiting(2)], { reason: 'No' }, { blocked: [other] })
  const shown = () => store.get(runsAtom).get(run)
  await waitFor(() => expect(shown()).toMatchObject({ state: 'done', total: 3, done: 1, blocked: 2, waiting: 0 }))
  const lastRow = { id: '3', title: writeOff.title(waiting(3)), state: 'blocked', sentence: 'Suggested by yourself.' }
  expect(shown()?.rows.at(-1)).toEqual(lastRow)
  showAlone(<RunPage page={{ kind: 'run', run }} />)
  screen.getByText('1 done, 0 failed, 2 refused')
  act(() =>
    change(run, { failed: 1, rows: (shown()?.rows ?? []).map((row) => (row.id === '2' ? { ...row, state: 'failed' } : row)) }),
  )
  await retryTheRun(run)
  await waitFor(() => expect(shown()).toMatchObject({ state: 'done', total: 3, blocked: 2 }))
  expect(shown()?.rows.at(-1)).toEqual(lastRow)
})

test('rows of a run with the same invoice are undone in sequence, each with its new version', async () => {
  const approved = (id: number, invoice_version: number): WriteOff => ({
    ...waiting(id),
    ...{ invoice_id: 40_100, status: 'APPROVED', approved_amount: amounts[id] ?? null, version: 2, invoice_version },
  })
  // The second one changed the invoice after the first.
  const rows = [approved(1, 2), approved(2, 3)].map((after) => ({ before: waiting(after.id), after, answers: [after] }))
  stands = { 1: approved(1, 3), 2: approved(2, 3) }
  const entry = addRunToHistory(approve, { run: 'run', params: { reason: 'Left' }, sentence: 'Approve write-off: 2 done' })
  endInHistory(entry, rows)
  await undoEntry(entry)
  expect(sent.map(({ path, body }) => [path, body['expected']])).toEqual([
    ['/write-offs/1/reverse', { 40100: 3 }],
    ['/write-offs/2/reverse', { 40100: 4 }],
  ])
})
