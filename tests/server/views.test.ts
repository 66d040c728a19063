import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SavedViews } from '#contract/views.ts'
import { createPerson } from '#tests/support/people.ts'
import { type Answer, call, createServer, type TestServer } from '#tests/support/server.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer

beforeAll(async () => {
  server = await createServer()
})
afterAll(() => server.close())

async function someone(about: Parameters<typeof createPerson>[1] = { groups: [1] }) {
  const person = await createPerson(server.db, about)
  const headers = await signInAs(server, person)
  const views = async (): Promise<SavedViews> => (await call(server, 'GET', '/views', { headers })).body
  const put = (body: unknown): Promise<Answer> => call(server, 'PUT', '/views', { headers, body })
  return { id: person.id, headers, views, put }
}
const late = { path: '/invoices', title: 'Late at Harbor', search: 'status_type=is&status_value=OVERDUE' }
const paused = { path: '/employees', title: 'Paused', search: 'status_type=is&status_value=PAUSED' }

test('are personal, stored for every device, and replaced together', async () => {
  const [ada, ben] = [await someone(), await someone({ kind: 'ACCOUNT_MANAGER', permissions: [1] })]
  expect(await ada.views()).toEqual({ views: [], version: 0 })
  const saved = await ada.put({ views: [late, { ...paused, title: '  Paused ' }], version: 0 })
  expect([saved.status, saved.body]).toEqual([200, { views: [late, paused], version: 1 }])
  expect(await ada.views()).toEqual(saved.body)
  expect(await ben.views()).toEqual({ views: [], version: 0 })
  expect((await ben.put({ views: [late], version: 0 })).status).toBe(200)
  expect((await ada.put({ views: [], version: 1 })).body).toEqual({ views: [], version: 2 })
  expect((await ben.views()).views).toEqual([late])
  const stranger = await call(server, 'GET', '/views', {})
  expect([stranger.status, (await call(server, 'PUT', '/views', { body: { views: [], version: 0 } })).status]).toEqual([401, 401])
})

test('of two concurrent saves the second gets a conflict, and nothing of the first is lost', async () => {
  const ada = await someone()
  const both = await Promise.all([ada.put({ views: [late], version: 0 }), ada.put({ views: [paused], version: 0 })])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const now = await ada.views()
  expect([now.version, now.views.length]).toEqual([1, 1])
})

test.each([
  ['the same name twice on one list', [late, { ...late, title: 'LATE AT HARBOR', search: 'a_type=is' }]],
  ['a name without a letter', [{ ...late, title: '\u3164 ' }]],
  ['a name past 40 characters', [{ ...late, title: 'x'.repeat(41) }]],
  ['no filter', [{ ...late, search: '' }]],
  ['the address of another place', [{ ...late, path: '//evil.example' }]],
  ['what no address holds', [{ ...late, search: 'a b\u202e' }]],
  ['a field that nobody knows', [{ ...late, owner: 'x' }]],
  ['more than 100', Array.from({ length: 101 }, (_, n) => ({ ...late, title: `View ${n}` }))],
])('refuses %s, and keeps the stored ones', async (_, views) => {
  const ada = await someone()
  await ada.put({ views: [paused], version: 0 })
  expect((await ada.put({ views, version: 1 })).status).toBe(422)
  expect(await ada.views()).toEqual({ views: [paused], version: 1 })
})

test('the same name on two lists is two views', async () => {
  const ada = await someone()
  expect((await ada.put({ views: [late, { ...paused, title: late.title }], version: 0 })).status).toBe(200)
})
