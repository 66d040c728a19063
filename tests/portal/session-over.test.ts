// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { getEmployee } from '#contract/employees.ts'
import { Refusal } from '#kernel/wire.ts'
import { loadOffers } from '#portal/api/capabilities.ts'
import { wire } from '#portal/api/client.ts'
import { loadConfig } from '#portal/api/config.ts'
import { store } from '#portal/app/store.ts'
import { endedAtom, meAtom, sessionEnded, setApplicationKey, setToken, token } from '#portal/session/session.ts'
import { adminWithout } from '#tests/support/examples.ts'

const ended = 'This session was ended elsewhere. Please login again to continue working.'
const expired = 'Your session has expired. Please login again.'
const over = (code: 'session-ended' | 'session-expired' | 'session-idle', detail: string) =>
  ({ type: 'about:blank', title: 'Unauthorized', status: 401, code, detail }) as const
const admin = adminWithout()
const ada = { ...admin, person: { ...admin.person, id: 'ada' } }
let asked: string[]

beforeEach(async () => {
  asked = []
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
  await loadOffers()
  setApplicationKey('key')
  setToken('token')
  store.set(meAtom, ada)
  store.set(endedAtom, null)
})
afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
})

describe('why a session ended', () => {
  test('stands, whatever asks after it: what needs a person is not sent without a token', async () => {
    await expect(wire.read(getEmployee, { id: 7 })).rejects.toThrow(ended)
    expect([store.get(endedAtom), store.get(meAtom), token()]).toEqual([ended, null, null])
    await expect(wire.read(getEmployee, { id: 8 })).rejects.toBeInstanceOf(Refusal)
    expect(asked).toEqual(['/api/employees/7'])
    expect(store.get(endedAtom)).toBe(ended)
  })

  test.each([
    over('session-expired', expired),
    over('session-idle', 'Your session has expired due to inactivity. Please login again to continue working.'),
  ])('[ERR-006, ERR-007] is said in the words of the specification: $code', (problem) => {
    sessionEnded(problem, 'token')
    sessionEnded({ ...problem, code: 'not-signed-in', detail: 'Please login to continue.' }, null)
    expect(store.get(endedAtom)).toBe(problem.detail)
  })

  test('[ERR-006] is that it has expired where the token is gone from under the page', async () => {
    setToken(null)
    await expect(wire.read(getEmployee, { id: 7 })).rejects.toBeInstanceOf(Refusal)
    expect([asked, store.get(endedAtom), store.get(meAtom)]).toEqual([[], expired, null])
  })

  test('is not said of this session by an answer to the one before', () => {
    sessionEnded(over('session-ended', ended), 'the token before')
    expect([store.get(endedAtom), store.get(meAtom), token()]).toEqual([null, ada, 'token'])
  })
})
