import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import pastedIds from '#commands/list/pasted-ids.ts'
import pause from '#commands/employee/pause.ts'
import resume from '#commands/employee/resume.ts'
import close from '#commands/invoice/close.ts'
import { noPermission } from '#domain/permissions.ts'
import { employee } from '#entities/employee.ts'
import { invoice } from '#entities/invoice.ts'
import type { Command } from '#kernel/command.ts'
import { chooseRecords, closePalette, openPalette, paletteAtom } from '#portal/commands/palette-state.ts'
import { holdsIds } from '#kernel/sentence/reading.ts'
import { loadConfig } from '#portal/api/config.ts'
import { loadCapabilities } from '#portal/api/capabilities.ts'
import { BulkForm } from '#portal/form/palette/bulk-form.tsx'
import { PastedPage } from '#portal/form/palette/pasted-page.tsx'
import { register } from '#portal/platform/registry.ts'
import { selectionOf } from '#portal/list/target.ts'
import { upsertRecords } from '#portal/records/entity-store.ts'
import { meAtom, setApplicationKey, setToken } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { showAlone } from '#tests/portal/alone.tsx'
import { adminWithout, employeeLike } from '#tests/support/examples.ts'

/** The calls to the API other than those about its capabilities. */
let asked: string[]
/** The answer of the API to ids of a noun; undefined for a network failure. */
let answerTargets: ((noun: string) => Response) | null

beforeEach(async () => {
  asked = []
  answerTargets = null
  register({ entities: [employee, invoice], commands: [pastedIds, pause, resume, close] as Command[] })
  vi.stubGlobal('fetch', async (input: URL | Request | string) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, 'https://portal.example.com')
    const paths = {
      '/runs': { post: {} },
      '/runs/targets': { post: {} },
      '/employees/{id}': { patch: {} },
      '/employees/{id}/can-unpause': { get: {} },
    }
    if (pathname.endsWith('openapi.json')) return new Response(JSON.stringify({ paths }))
    if (pathname.endsWith('config.json'))
      return new Response(JSON.stringify({ environment: 'local', api: '/api', application_key: 'public', version: '1' }))
    asked.push(pathname)
    if (pathname.endsWith('/runs/targets') && answerTargets) {
      const { noun } = await (input as Request).clone().json()
      asked.push(noun)
      return answerTargets(noun)
    }
    const denied = ['The identity check was denied.']
    if (pathname.endsWith('/can-unpause'))
      return new Response(
        JSON.stringify(pathname.includes('/2/') ? { can_unpause: false, reasons: denied } : { can_unpause: true, reasons: [] }),
      )
    return new Response('{}', { status: 503 })
  })
  await loadConfig()
  await loadCapabilities()
  store.set(meAtom, adminWithout())
  setApplicationKey('key')
  setToken('token')
})
afterEach(() => {
  cleanup()
  closePalette()
  vi.unstubAllGlobals()
})

const field = () => screen.getByLabelText(/^Ids/) as HTMLTextAreaElement
const chosen = () => (screen.getByRole('radio', { checked: true }).closest('label') as HTMLElement).textContent

test('[EMP-001] more than ten thousand ids are refused with a message, and nothing is requested', async () => {
  showAlone(<PastedPage text={Array.from({ length: 10_001 }, (_, at) => 100_001 + at).join('\n')} />)
  expect((await screen.findByRole('alert')).textContent).toBe(
    'At most 10,000 employees at a time; these are 10,001.Paste them in parts.',
  )
  expect(asked).toEqual([])
})

test('[INV-016] the ids determine their noun; a text without any cannot be used', async () => {
  showAlone(<PastedPage text={'Invoice\nINV-\nMia'} />)
  await screen.findByText('0 employees found, 3 left out')
  expect(chosen()).toBe('Employees')
  fireEvent.keyDown(field(), { key: 'Enter', ctrlKey: true })
  await screen.findByText('None of these ids can be used.')
  cleanup()
  showAlone(<PastedPage text={'Invoice\nINV-40001\nINV-40002'} />)
  await screen.findByText('The server did not answer.')
  expect(chosen()).toBe('Invoices')
})

test('[EMP-001] ids of a noun that the API does not support are tried as those of the next one', async () => {
  const refusal = 'This cannot be carried out over many rows.'
  const problem = { type: 'about:blank', title: 'Unprocessable', status: 422, code: 'validation-failed', detail: refusal }
  const refused = () =>
    new Response(JSON.stringify(problem), { status: 422, headers: { 'content-type': 'application/problem+json' } })
  answerTargets = (noun) => (noun === 'employees' ? refused() : new Response(JSON.stringify({ missing: [] })))
  showAlone(<PastedPage text={'104233\n104234\n104235'} />)
  await screen.findByText('3 invoices found')
  expect([chosen(), asked.filter((each) => !each.startsWith('/'))]).toEqual(['Invoices', ['employees', 'invoices']])
  cleanup()
  answerTargets = refused
  showAlone(<PastedPage text={'104233\n104234\n104235'} />)
  expect((await screen.findByRole('alert')).textContent).toBe(refusal)
})

test('[PERM-037] without a permission for bulk commands the person sees that', async () => {
  store.set(meAtom, adminWithout('write:employees', 'write:unpause', 'write:billing'))
  showAlone(<PastedPage text="" />)
  expect((await screen.findByRole('alert')).textContent).toBe(noPermission)
})

test('[EMP-004] for few rows each is checked like a single row before it is counted', async () => {
  upsertRecords('employee', [
    employeeLike(1, 'Mia', 'Torres', { status: 'PAUSED' }),
    employeeLike(2, 'Ben', 'Ortiz', { status: 'PAUSED' }),
    employeeLike(3, 'Ada', 'Moss'),
  ])
  const targets = { entity: 'employee', ids: ['1', '2', '3'], filter: null, count: 3 }
  showAlone(<BulkForm command={resume as Command} page={{ kind: 'form', command: resume.id, targets }} />)
  await screen.findByRole('button', { name: /^Resume 1 employee/ })
  expect(screen.getByText(/The identity check was denied\./)).toBeTruthy()
  expect(asked.filter((path) => path.endsWith('/can-unpause')).sort()).toEqual(
    [1, 2].map((id) => `/api/employees/${id}/can-unpause`),
  )
})

test('several pasted ids are distinguished from a name, a number and a sentence', () => {
  for (const ids of ['104233\n104234', 'ID\tName\n104233\tMia\n104234\tBen', '104233, 104234', 'INV-40001;INV-40002'])
    expect([ids, holdsIds(ids)]).toEqual([ids, true])
  for (const text of ['104233', 'Ortiz, Benjamin', '104233\tMia Torres', '(555) 010-1234', 'line one\nline two', '12.50, 13.70'])
    expect([text, holdsIds(text)]).toEqual([text, false])
})

test('the selection is the target of the palette, without subscriptions to each of many rows', () => {
  openPalette({ kind: 'pasted', text: '' })
  const ids = Array.from({ length: 10_000 }, (_, at) => String(100_001 + at))
  chooseRecords('employee', ids)
  const { target, pages } = store.get(paletteAtom)
  expect(pages).toEqual([{ kind: 'root', actions: true }])
  expect(target).toEqual({ entity: 'employee', ids, filter: null, count: 10_000, how: 'marked' })
  const read = vi.fn(store.get)
  expect(selectionOf(read as never, target ?? null)?.ids).toBe(ids)
  expect(read.mock.calls.length).toBeLessThan(300)
})
