// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import pause from '#commands/employee/pause.ts'
import { getEmployee } from '#contract/employees.ts'
import { employee } from '#entities/employee.ts'
import type { Command } from '#kernel/command.ts'
import { formKeys } from '#kernel/send.ts'
import { Refusal } from '#kernel/api-client.ts'
import { interruptionText } from '#kernel/interruption.ts'
import { loadCapabilities } from '#portal/api/capabilities.ts'
import { apiClient } from '#portal/api/client.ts'
import { loadConfig } from '#portal/api/config.ts'
import { register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { toastsAtom } from '#portal/platform/toasts.ts'
import { keepDraft } from '#portal/commands/drafts.ts'
import { targetsBy } from '#portal/list/target.ts'
import { reportInterrupted, reportLater, takeInterrupted } from '#portal/commands/outbox/interruptions.ts'
import { closePalette, openPalette, paletteAtom } from '#portal/commands/palette-state.ts'
import { upsertRecords } from '#portal/records/entity-store.ts'
import { endedAtom, isRead, keepReadBy, meAtom, sessionEnded, setApplicationKey, setToken, token } from '#portal/api/session.ts'
import { forgetTraces } from '#portal/session/traces.ts'
import { adminWithout, employeeLike } from '#tests/support/examples.ts'

const ended = 'This session was ended elsewhere. Please login again to continue working.'
const expired = 'Your session has expired. Please login again.'
const over = (code: 'session-ended' | 'session-expired' | 'session-idle', detail: string) =>
  ({ type: 'about:blank', title: 'Unauthorized', status: 401, code, detail }) as const
const admin = adminWithout()
const ada = { ...admin, person: { ...admin.person, id: 'ada' } }
const tom = { ...ada, person: { ...ada.person, id: 'tom' } }
const toastTexts = () => store.get(toastsAtom).map(({ sentence, detail }) => [sentence, detail])
let asked: string[]

beforeEach(async () => {
  asked = []
  register({ entities: [employee], commands: [pause as unknown as Command] })
  vi.stubGlobal('fetch', async (input: URL | Request | string) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, 'https://portal.example.com')
    const json = (body: unknown, status = 200) =>
      new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
    if (pathname.endsWith('openapi.json')) return json({ paths: { '/employees/{id}': { get: {}, patch: {} } } })
    if (pathname.endsWith('config.json'))
      return json({ environment: 'local', api: '/api', application_key: 'public', version: '1' })
    asked.push(pathname)
    return json(over('session-ended', ended), 401)
  })
  await loadConfig()
  await loadCapabilities()
  setApplicationKey('key')
  setToken('token')
  store.set(meAtom, ada)
  store.set(endedAtom, null)
  store.set(toastsAtom, [])
  upsertRecords('employee', [employeeLike(7, 'Mia', 'Torres', {})])
})
afterEach(() => {
  vi.unstubAllGlobals()
  closePalette()
  localStorage.clear()
  sessionStorage.clear()
})

describe('the reason for the end of a session', () => {
  test('persists: calls that need a person are not sent without a token', async () => {
    await expect(apiClient.read(getEmployee, { id: 7 })).rejects.toThrow(ended)
    expect([store.get(endedAtom), store.get(meAtom), token()]).toEqual([ended, null, null])
    await expect(apiClient.read(getEmployee, { id: 8 })).rejects.toBeInstanceOf(Refusal)
    expect(asked).toEqual(['/api/employees/7'])
    expect(store.get(endedAtom)).toBe(ended)
  })

  test.each([
    over('session-expired', expired),
    over('session-idle', 'Your session has expired due to inactivity. Please login again to continue working.'),
  ])('[ERR-006, ERR-007] is shown in the words of the specification: $code', (problem) => {
    sessionEnded(problem, 'token')
    sessionEnded({ ...problem, code: 'not-signed-in', detail: 'Please login to continue.' }, null)
    expect(store.get(endedAtom)).toBe(problem.detail)
  })

  test('[ERR-006] is an expiry where the token was removed from under the page', async () => {
    setToken(null)
    await expect(apiClient.read(getEmployee, { id: 7 })).rejects.toBeInstanceOf(Refusal)
    expect([asked, store.get(endedAtom), store.get(meAtom)]).toEqual([[], expired, null])
  })

  test('is not set by an answer to the previous session', () => {
    sessionEnded(over('session-ended', ended), 'the token before')
    expect([store.get(endedAtom), store.get(meAtom), token()]).toEqual([null, ada, 'token'])
  })
})

test('a token stored by another tab is not used for the person who is signed in here', () => {
  keepReadBy('token')
  expect([isRead('ada'), isRead('tom')]).toEqual([true, false])
  setToken('the token of somebody else')
  expect(isRead('ada')).toBe(false)
  keepReadBy('the token of somebody else')
  expect(isRead('ada')).toBe(true)
  keepReadBy('token')
})

describe('a change that was not sent because the session had ended', () => {
  const target = { entity: 'employee', id: '7' }
  const what = { command: pause.id, target }
  const form = { kind: 'form', command: pause.id, targets: targetsBy('employee', ['7']) } as const
  const signOutAndIn = async (as: typeof ada, meanwhile = () => {}) => {
    store.set(meAtom, null)
    meanwhile()
    store.set(meAtom, as)
    await reportInterrupted()
  }

  test('is shown on the sign-in screen, after the reason, and reported once after the sign-in', async () => {
    store.set(endedAtom, ended)
    await signOutAndIn(ada, () => {
      expect(reportLater('not-sent', 'ada', what)).toBe(true)
      reportLater('not-sent', 'ada', { ...what, undo: true })
    })
    expect(store.get(endedAtom)).toBe(`${ended} Your last change was not sent.`)
    const again = 'Your session had ended. Do it again if it is still wanted.'
    expect(toastTexts()).toEqual([
      ['Not sent: Pause employee, Mia Torres', again],
      ['Not sent: Undo pause employee, Mia Torres', again],
    ])
    store.set(toastsAtom, [])
    await reportInterrupted()
    expect(toastTexts()).toEqual([])
  })

  test('does not name a missing form, but says that the inputs were kept', async () => {
    keepDraft(pause.id, targetsBy('employee', ['7']), { reason: 'Leave' })
    await signOutAndIn(ada, () => reportLater('not-sent', 'ada', what))
    expect(toastTexts()).toEqual([
      ['Not sent: Pause employee, Mia Torres', 'Your session had ended. What you typed is still in its form.'],
    ])
  })

  test('says what to check where a part was sent, and where that is unknown', async () => {
    await signOutAndIn(ada, () => {
      reportLater('in-part', 'ada', what)
      reportLater('unsure', 'ada', { ...what, target: null, rows: 3 })
    })
    expect(toastTexts()).toEqual([
      ['Sent in part: Pause employee, Mia Torres', 'Your session had ended. Look at what was done before you send the rest.'],
      [
        'Not confirmed: Pause employee, 3 employees',
        'Your session ended before there was an answer. It may have gone through. Look at it before you do it again.',
      ],
    ])
  })

  test('is not shown to another person, nor after a sign-out', async () => {
    await signOutAndIn(tom, () => reportLater('not-sent', 'ada', what))
    expect(toastTexts()).toEqual([])
    expect(sessionStorage.getItem('admin-portal.reload.unsent')).not.toContain('Mia')
    forgetTraces()
    await signOutAndIn(ada)
    expect(toastTexts()).toEqual([])
  })

  test('is reported at once by the caller, where somebody is signed in by then', () => {
    expect(reportLater('not-sent', 'ada', what)).toBe(false)
    expect(store.get(endedAtom)).toBeNull()
  })

  test('is shown by its open form, with the same keys', async () => {
    openPalette(form)
    const keys = formKeys(() => 'one')
    await signOutAndIn(ada, () => reportLater('not-sent', 'ada', { ...what, watching: true, keys }))
    expect(toastTexts()).toEqual([])
    expect(takeInterrupted(form)).toEqual({ text: interruptionText('not-sent'), keys })
    expect(takeInterrupted(form)).toBeNull()
  })

  test('reopens its form after a reload, at the same address', async () => {
    openPalette(form)
    await signOutAndIn(ada, () => {
      reportLater('not-sent', 'ada', { ...what, watching: true })
      closePalette()
    })
    await vi.waitFor(() => expect(store.get(paletteAtom)).toMatchObject({ open: true, pages: [form] }))
    expect([toastTexts(), takeInterrupted(form)]).toEqual([[], { text: interruptionText('not-sent'), keys: undefined }])
  })

  test('is a message where the person is elsewhere by then', async () => {
    openPalette(form)
    await signOutAndIn(ada, () => {
      reportLater('not-sent', 'ada', { ...what, watching: true })
      openPalette()
    })
    expect(toastTexts().map(([sentence]) => sentence)).toEqual(['Not sent: Pause employee, Mia Torres'])
    expect(takeInterrupted(form)).toBeNull()
  })

  test('is not stored where it may have succeeded: that is retried', async () => {
    await signOutAndIn(ada, () => reportLater('asked-again', 'ada', what))
    expect(store.get(endedAtom)).toBe(
      'Your last change is not confirmed: it may have gone through. It is sent again once you have signed in, and applied once.',
    )
    expect(toastTexts()).toEqual([])
  })
})
